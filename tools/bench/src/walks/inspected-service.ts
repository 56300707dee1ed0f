import { pathToFileURL } from 'node:url';
import { findFreePorts, startServiceProcess, workspace } from '@engawa/embedded';
import { DevTools } from '../dev-tools.ts';
import { ownCalls } from './own-calls.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { Calls, ScriptCoverage } from './own-calls.ts';

export interface InspectedServiceOptions {
  service: string;
  environment: Record<string, string>;
  /** The folder of another checkout. */
  checkout: string | undefined;
  node: readonly string[];
}

/** A service whose calls V8 counts. Counted code is not inlined, so it is much slower than otherwise. */
export class InspectedService {
  readonly #process: ServiceProcess;
  readonly #tools: DevTools;
  readonly #root: string;

  static async start(options: InspectedServiceOptions): Promise<InspectedService> {
    const { service, environment, checkout, node } = options;
    const [port = 0] = await findFreePorts(1);
    const process = await startServiceProcess({
      ...{ service, environment, checkout },
      nodeOptions: [...node, `--inspect=127.0.0.1:${port}`],
      // Node announces its inspector; the announcement is printed only with an error.
      stdio: 'collect',
    });
    const tools = await DevTools.connectToProcess(port);
    await tools.send('Profiler.enable');
    await tools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
    const root = pathToFileURL(`${checkout ?? workspace}/`).href;
    return new InspectedService(process, tools, root);
  }

  private constructor(process: ServiceProcess, tools: DevTools, root: string) {
    this.#process = process;
    this.#tools = tools;
    this.#root = root;
  }

  get url(): string {
    return this.#process.url;
  }

  /** Own calls while `walk` runs. */
  async count(walk: () => Promise<unknown>): Promise<Calls> {
    await this.#takeCalls();
    await walk();
    return this.#takeCalls();
  }

  async close(): Promise<void> {
    this.#tools.close();
    await this.#process.close();
  }

  /** Calls since the last time. */
  async #takeCalls(): Promise<Calls> {
    const { result } = await this.#tools.send('Profiler.takePreciseCoverage');
    return ownCalls(result as readonly ScriptCoverage[], this.#root);
  }
}

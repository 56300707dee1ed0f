import { pathToFileURL } from 'node:url';
import { findFreePort, startServiceProcess, workspace } from '@engawa/embedded';
import { Closables } from '../closables.ts';
import { DevTools } from '../dev-tools.ts';
import { ownCalls } from './own-calls.ts';
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
  readonly #closables = new Closables();
  readonly #root: string;
  #tools!: DevTools;
  url = '';

  static async start(options: InspectedServiceOptions): Promise<InspectedService> {
    const inspected = new InspectedService(options);
    await inspected.#closables.opening(() => inspected.#start(options));
    return inspected;
  }

  private constructor({ checkout = workspace }: InspectedServiceOptions) {
    this.#root = pathToFileURL(`${checkout}/`).href;
  }

  async #start({ node, ...options }: InspectedServiceOptions): Promise<void> {
    const port = await findFreePort();
    const started = await startServiceProcess({
      ...options,
      nodeOptions: [...node, `--inspect=127.0.0.1:${port}`],
      // Node announces its inspector; the announcement is printed only with an error.
      stdio: 'collect',
    });
    this.url = this.#closables.add(started).url;
    this.#tools = this.#closables.add(await DevTools.connectToProcess(port));
    await this.#tools.send('Profiler.enable');
    await this.#tools.send('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  /** Own calls while `walk` runs. */
  async count(walk: () => Promise<unknown>): Promise<Calls> {
    await this.#takeCalls();
    await walk();
    return this.#takeCalls();
  }

  close(): Promise<void> {
    return this.#closables.close();
  }

  /** Calls since the last time. */
  async #takeCalls(): Promise<Calls> {
    const { result } = await this.#tools.send('Profiler.takePreciseCoverage');
    return ownCalls(result as readonly ScriptCoverage[], this.#root);
  }
}

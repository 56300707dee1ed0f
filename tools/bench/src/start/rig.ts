import {
  findFreePorts,
  startBroker,
  startDynamoDb,
  startProcess,
  workspace,
} from '@engawa/embedded';
import { buildWeb } from '@engawa/console/build';
import { buildLocalImage } from '@engawa/image/local-image';
import { ensureTable } from '@engawa/table';
import { Closables } from '../closables.ts';
import type { RunningProcess } from '@engawa/embedded';
import type { LocalImage } from '@engawa/image/local-image';
import type { StartOptions } from './options.ts';

export const services = ['ingestion', 'registry', 'query', 'catalog', 'console'] as const;
export type ServiceName = (typeof services)[number];
/** How a service is run: the files of the image with its compile cache, or the sources without one. */
export type Form = 'image' | 'sources';

const tableName = 'bench-start';
/** What the shortest program of Node prints when it runs. */
const running = 'running';

/** The engine and the broker that the services connect to, and the files of the image. */
export class StartRig {
  readonly #closables = new Closables();
  readonly #options: StartOptions;
  #environment: Record<string, string> = {};
  #image: LocalImage | undefined;

  static async start(options: StartOptions): Promise<StartRig> {
    const rig = new StartRig(options);
    const { endpoint } = rig.#closables.add(await startDynamoDb());
    const broker = rig.#closables.add(await startBroker());
    await ensureTable({ tableName, endpoint, timeoutMs: 5000 });
    rig.#environment = {
      TABLE_NAME: tableName,
      DYNAMODB_ENDPOINT: endpoint,
      MQTT_URL: broker.url,
      MQTT_VERSION: '3.1.1',
      LOG_LEVEL: 'warn',
      NODE_ENV: 'production',
      HOST: '127.0.0.1',
    };
    if (options.only.includes('sources')) await buildWeb();
    if (options.only.includes('image')) rig.#image = buildLocalImage({ compiled: true });
    return rig;
  }

  private constructor(options: StartOptions) {
    this.#options = options;
  }

  /** Runs `measure` with a process that has just become ready. */
  async withService<Result>(
    service: ServiceName,
    form: Form,
    measure: (process: RunningProcess) => Promise<Result>,
  ): Promise<Result> {
    const [port, metricsPort] = await findFreePorts(2);
    const started = await startProcess({
      name: service,
      command: this.#command(service, form),
      cwd: workspace,
      environment: {
        ...this.#environment,
        ...(form === 'image' && this.#image?.environment),
        PORT: String(port),
        METRICS_PORT: String(metricsPort),
      },
      ready: { url: `http://127.0.0.1:${metricsPort}/readyz` },
    });
    return this.#closables.with(started, measure);
  }

  /** Runs `measure` with Node alone. */
  async withNode<Result>(measure: (process: RunningProcess) => Promise<Result>): Promise<Result> {
    const script = `setInterval(() => {}, 1e6); console.log('${running}')`;
    const started = await startProcess({
      name: 'node',
      command: [process.execPath, '--eval', script],
      ready: { output: running },
    });
    return this.#closables.with(started, measure);
  }

  async close(): Promise<void> {
    await this.#closables.close();
    this.#image?.remove();
  }

  #command(service: ServiceName, form: Form): [string, ...string[]] {
    const { node, profile } = this.#options;
    const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const [file, ...args] =
      form === 'image'
        ? (this.#image?.command(service) ?? [process.execPath])
        : [process.execPath, `apps/${service}/src/main.ts`];
    return [file, ...node, ...profiling, ...args];
  }
}

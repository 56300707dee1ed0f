import { startDynamoDb, startServiceProcess } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { DurableTap } from '../ingestion/durable-tap.ts';
import { Closables } from '../closables.ts';
import { Worker } from '../worker.ts';
import type { ServiceProcess } from '@engawa/embedded';
import type { LimitsInput } from '@engawa/dynamodb-simulator';
import type { SimulatorMethods } from '../children/simulator.ts';
import type { StreamsMethods } from '../children/streams.ts';
import type { Methods } from '../serve.ts';
import type { HotOptions } from './options.ts';

type NoMethods = Methods<'none'>;

export type RigOptions = Pick<HotOptions, 'limit' | 'node' | 'profile'>;

/** A table with low limits of its partition keys, and a tap that observes writes to it. */
export interface ObservedTable {
  tableName: string;
  /** Endpoint of the engine, without limits. */
  engine: string;
  tap: DurableTap;
  simulator: Worker<SimulatorMethods, { endpoint: string }>;
}

/** Seconds of unused capacity that a key accumulates; DynamoDB's 300 would first have to be used up. */
const burstSeconds = 1;

/** Engine, broker and publisher, each a process. */
export class HotRig {
  readonly #closables = new Closables();
  readonly #options: RigOptions;
  #engine = '';
  #mqttUrl = '';
  streams!: Worker<StreamsMethods>;

  static async start(options: RigOptions): Promise<HotRig> {
    const rig = new HotRig(options);
    await rig.#closables.opening(() => rig.#start());
    return rig;
  }

  private constructor(options: RigOptions) {
    this.#options = options;
  }

  async #start(): Promise<void> {
    this.#engine = this.#closables.add(await startDynamoDb()).endpoint;
    const broker = this.#closables.add(await Worker.start<NoMethods, { url: string }>('broker'));
    this.#mqttUrl = broker.ready.url;
    const argument = { url: this.#mqttUrl };
    this.streams = this.#closables.add(await Worker.start<StreamsMethods>('streams', argument));
  }

  /** Initial limits of a stage. */
  get limits(): LimitsInput {
    return { partition: { write: this.#options.limit }, burstSeconds };
  }

  /** Runs `measure` with a new table behind its own simulator. */
  async withStage<Result>(
    name: string,
    measure: (observed: ObservedTable) => Promise<Result>,
  ): Promise<Result> {
    const tableName = `engawa-hot-${name}`;
    const engine = this.#engine;
    await ensureTable({ tableName, endpoint: engine, timeoutMs: 5000 });
    const limits = this.limits;
    const argument = { upstream: engine, limits };
    const simulator = await Worker.start<SimulatorMethods, { endpoint: string }>(
      'simulator',
      argument,
    );
    return this.#closables.with(simulator, async () => {
      const tap = await DurableTap.start(simulator.ready.endpoint);
      return this.#closables.with(tap, () => measure({ tableName, engine, tap, simulator }));
    });
  }

  /** Runs `measure` with a service on the table of this stage. */
  async withService<Result>(
    service: string,
    { tableName, tap }: ObservedTable,
    environment: Record<string, string>,
    measure: (service: ServiceProcess) => Promise<Result>,
  ): Promise<Result> {
    const { node, profile, limit } = this.#options;
    const profiling = profile === undefined ? [] : ['--cpu-prof', '--cpu-prof-dir', profile];
    const all = {
      DYNAMODB_ENDPOINT: tap.endpoint,
      TABLE_NAME: tableName,
      PARTITION_WRITE_LIMIT: String(limit),
      RATE_LIMIT_PER_MINUTE: '0',
      CURSOR_SECRET: 'cursors of a bench on one machine',
      // Hot keys are expected here: no warnings.
      LOG_LEVEL: 'error',
      MQTT_URL: this.#mqttUrl,
      MQTT_VERSION: '3.1.1',
      MQTT_CLIENT_ID: `bench-${tableName}`,
      ...environment,
    };
    const started = await startServiceProcess({
      service,
      environment: all,
      nodeOptions: [...node, ...profiling],
    });
    return this.#closables.with(started, measure);
  }

  close(): Promise<void> {
    return this.#closables.close();
  }
}

import { messageOf, startService } from '@engawa/service';
import { VirtualProcess } from '../kernel/index.ts';
import type { VirtualProcessOptions } from '../kernel/virtual-process.ts';
import type { RunningService, ServiceModule, ServiceSettings } from '@engawa/service';
import type { Registry } from 'prom-client';
import type { ServiceModules, ServiceName } from './load-services.ts';

export interface ReplicaOptions extends VirtualProcessOptions {
  service: ServiceName;
  modules: ServiceModules;
  environment: Record<string, string>;
  port: number;
  log: (line: string) => void;
}

/** One process of a service. */
export class Replica {
  readonly service: ServiceName;
  readonly process: VirtualProcess;
  readonly port: number;
  /** Its environment variables. */
  readonly settings: Readonly<Record<string, string>>;
  readonly #started: Promise<RunningService<unknown> | undefined>;
  #running: RunningService<unknown> | undefined;
  #metrics: Registry | undefined;
  /** The error of a failed start or shutdown. */
  #failure: unknown;

  constructor({ service, modules, environment, port, log, ...options }: ReplicaOptions) {
    this.service = service;
    this.port = port;
    this.settings = environment;
    this.process = new VirtualProcess(options);
    this.#started = this.process.run(async () => {
      try {
        const given = { ...environment, PORT: String(port), METRICS_PORT: String(port + 10_000) };
        const logDestination = { write: log };
        const own = modules[service];
        const module: ServiceModule<ServiceSettings> = {
          settings: own.settings,
          start: (context) => {
            this.#metrics = context.registry;
            return own.start(context);
          },
        };
        const start = { name: service, module, environment: given, logDestination };
        this.#running = await startService(start);
        return this.#running;
      } catch (error) {
        this.#failure = error;
        return undefined;
      }
    });
  }

  get name(): string {
    return this.process.name;
  }

  get isAlive(): boolean {
    return this.process.isAlive;
  }

  get failure(): unknown {
    return this.#failure;
  }

  /** The result of its readiness probe. */
  get isReady(): boolean {
    if (!this.isAlive || this.#running === undefined) return false;
    return this.process.run(() =>
      (this.#running?.context.readiness.unavailableReasons() ?? []).every(({ blocks }) => !blocks),
    );
  }

  /** The reasons of a failed readiness probe. */
  get unavailableReasons(): string {
    if (this.#failure !== undefined) return messageOf(this.#failure);
    if (!this.isAlive || this.#running === undefined) return 'it is not running';
    const missing = this.#running.context.readiness.unavailableReasons();
    return missing.map(({ name, reason }) => `${name}: ${reason}`).join(', ');
  }

  /** Current values of a metric, one per combination of labels; empty before the metric exists. */
  async values(metric: string): Promise<number[]> {
    const found = this.#metrics?.getSingleMetric(metric);
    const { values } = (await this.process.run(() => found?.get())) ?? { values: [] };
    return values.map(({ value }) => value);
  }

  /** Capacity units that the replica has counted, by operation, table or index, and kind, such as `Query gsi1 read`. */
  async consumedUnits(): Promise<Map<string, number>> {
    const metric = this.#metrics?.getSingleMetric('engawa_table_consumed_units_total');
    const { values } = (await metric?.get()) ?? { values: [] };
    return new Map(
      values.map(({ labels: { operation, index, unit }, value }) => [
        `${operation} ${index} ${unit}`,
        value,
      ]),
    );
  }

  /** Shuts the replica down as SIGTERM does. */
  async stop(): Promise<void> {
    const running = await this.#started;
    try {
      await this.process.run(() => running?.close());
    } catch (error) {
      this.#failure = error;
    }
    this.process.kill();
  }

  /** Ends the replica as SIGKILL does. */
  kill(): void {
    this.process.kill();
  }
}

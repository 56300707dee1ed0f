import { findFreePorts, ServiceProcess, startBroker, startDynamoDb } from '@engawa/embedded';
import { ensureTable } from '@engawa/table';
import { Prometheus } from './prometheus.ts';
import { TableSimulator } from './table-simulator.ts';
import type { Broker, ServiceProcessOptions } from '@engawa/embedded';
import type { Target } from './prometheus.ts';

export const components = ['ingestion', 'registry', 'query', 'catalog'] as const;
export type Component = (typeof components)[number];

/** Labels of a release in a cluster. */
export const namespace = 'homes';
export const release = 'engawa';
/** Limit of a partition key in write units a second; DynamoDB's 1,000 would be too much for this machine to exceed. */
export const keyLimit = 20;

const tableName = 'engawa';

export interface LiveStackOptions {
  /** Text of a rule file, filled in for this namespace and release. */
  rules: string;
  /** Scrape interval, such as `1s`. */
  every: string;
}

/** The services as processes over a table that throttles as AWS does, and a Prometheus that scrapes them. */
export class LiveStack {
  readonly #closers: (() => Promise<void>)[] = [];
  readonly #metricsUrls = {} as Record<Component, string>;
  /** Of the APIs. */
  readonly urls = {} as Record<Component, string>;
  #broker!: Broker;
  simulator!: TableSimulator;
  prometheus!: Prometheus;

  static async start(options: LiveStackOptions): Promise<LiveStack> {
    const stack = new LiveStack();
    try {
      await stack.#start(options);
      return stack;
    } catch (error) {
      await stack.close();
      throw error;
    }
  }

  get mqttUrl(): string {
    return this.#broker.url;
  }

  /** Restarts the broker without persistence: all sessions and queued messages are lost. */
  async restartBroker(): Promise<void> {
    const { port } = this.#broker;
    await this.#broker.close();
    this.#broker = await startBroker({ port });
  }

  /** Limits the throughput of each key from now on, with a second of burst. */
  async limitKeys(): Promise<void> {
    const limits = { partition: { write: keyLimit, read: 3000 }, burstSeconds: 1 };
    await this.simulator.setLimits(limits);
  }

  /** Closes everything that was started, in reverse order. */
  async close(): Promise<void> {
    for (const close of this.#closers.toReversed()) await close();
  }

  async #start({ rules, every }: LiveStackOptions): Promise<void> {
    const engine = await startDynamoDb();
    this.#closers.push(() => engine.close());
    await ensureTable({ tableName, endpoint: engine.endpoint, region: 'local', timeoutMs: 5000 });
    const count = 2 + 2 * components.length;
    const [prometheusPort = 0, simulatorPort = 0, ...ports] = await findFreePorts(count);
    this.simulator = await TableSimulator.start(simulatorPort, engine.endpoint);
    this.#closers.push(() => this.simulator.close());
    this.#broker = await startBroker();
    this.#closers.push(() => this.#broker.close());
    for (const [index, component] of components.entries()) {
      this.urls[component] = `http://127.0.0.1:${ports[2 * index] ?? 0}`;
    }
    await Promise.all(
      components.map(async (component, index) => {
        const service = this.#launch(component, ports.slice(2 * index, 2 * index + 2));
        this.#closers.push(() => service.close());
        await service.ready();
        this.#metricsUrls[component] = service.metricsUrl;
      }),
    );
    const targets = this.#targets();
    this.prometheus = await Prometheus.start({ port: prometheusPort, targets, rules, every });
    this.#closers.push(() => this.prometheus.close());
  }

  #launch(component: Component, ports: readonly number[]): ServiceProcess {
    const options: ServiceProcessOptions = {
      service: component,
      stdio: 'collect',
      environment: {
        LOG_LEVEL: 'error',
        TABLE_NAME: tableName,
        AWS_REGION: 'local',
        DYNAMODB_ENDPOINT: this.simulator.endpoint,
        DYNAMODB_TIMEOUT_MS: '1000',
        PARTITION_WRITE_LIMIT: String(keyLimit),
        HOT_PARTITION_PEERS: Object.values(this.urls).join(','),
        RATE_LIMIT_PER_MINUTE: '0',
        CURSOR_SECRET: 'cursors of the live stack of dashboards',
        SHUTDOWN_TIMEOUT_MS: '2000',
        MQTT_URL: this.mqttUrl,
        MQTT_VERSION: '3.1.1',
        MQTT_CLIENT_ID: `${release}-ingestion-0`,
        // Without linger each reading is one write, so that a single device can make its key hot.
        LINGER_MS: '0',
        TYPE_SETTLE_MS: '2000',
      },
    };
    return new ServiceProcess(options, ports);
  }

  #targets(): Target[] {
    return components.map((component) => ({
      address: new URL(this.#metricsUrls[component]).host,
      labels: { namespace, release, component, pod: podOf(component) },
    }));
  }
}

/** As Kubernetes names the pods of a StatefulSet and of a Deployment. */
function podOf(component: Component): string {
  const suffix = component === 'ingestion' ? '0' : '7d9f5c6b8-x2k4q';
  return `${release}-${component}-${suffix}`;
}

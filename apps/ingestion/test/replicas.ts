import { startService } from '@engawa/service';
import { ListeningPorts, metricValue, Relay, until } from '@engawa/testing';
import * as ingestion from '../src/start.ts';
import type { RunningService } from '@engawa/service';
import type { IngestionFixture } from './ingestion-fixture.ts';

/** One of several processes of ingestion that share a table. */
export class Replica {
  readonly #ports: ListeningPorts;
  readonly #service: RunningService<unknown>;

  static async start(environment: Record<string, string>): Promise<Replica> {
    const ports = new ListeningPorts();
    const name = 'ingestion';
    const service = await startService({
      name,
      module: ingestion,
      environment,
      logDestination: ports,
    });
    await until(
      'a ready replica',
      () => service.context.readiness.unavailableReasons().length === 0,
    );
    return new Replica(ports, service);
  }

  private constructor(ports: ListeningPorts, service: RunningService<unknown>) {
    this.#ports = ports;
    this.#service = service;
  }

  get api(): string {
    return this.#ports.url('PORT');
  }

  metric(name: string, labels: Record<string, string> = {}): Promise<number> {
    return metricValue(this.#ports.url('METRICS_PORT'), name, labels);
  }

  close(): Promise<void> {
    return this.#service.close();
  }
}

/** Several replicas, each with the addresses of all. */
export class Replicas {
  readonly all: readonly Replica[];
  /** Addresses for requests between replicas, in the same order. */
  readonly relays: readonly Relay[];

  static async start(
    { environment }: IngestionFixture,
    settings: Readonly<Record<string, string>>,
    count = 2,
  ): Promise<Replicas> {
    const relays = await Promise.all(Array.from({ length: count }, () => Relay.open()));
    const peers = { HOT_PARTITION_PEERS: relays.map(({ url }) => url).join() };
    const all = await Promise.all(
      relays.map((_, index) => {
        const name = { MQTT_CLIENT_ID: `ingestion-${index}` };
        return Replica.start({ ...environment, ...peers, ...name, ...settings });
      }),
    );
    all.forEach(({ api }, index) => {
      const relay = relays[index];
      if (relay !== undefined) relay.target = api;
    });
    return new Replicas(all, relays);
  }

  private constructor(all: readonly Replica[], relays: readonly Relay[]) {
    this.all = all;
    this.relays = relays;
  }

  /** Number of requests between them. */
  get requests(): number {
    return this.relays.reduce((sum, { connections }) => sum + connections, 0);
  }

  async sum(name: string, labels: Record<string, string> = {}): Promise<number> {
    const values = await Promise.all(this.all.map((one) => one.metric(name, labels)));
    return values.reduce((sum, value) => sum + value, 0);
  }

  async close(): Promise<void> {
    await Promise.all([...this.all, ...this.relays].map((one) => one.close()));
  }
}

import { FrequentCounter } from '@engawa/service';
import { Counter, Gauge } from 'prom-client';
import { limitNames } from './limit-names.ts';
import type { Tally } from '@engawa/service';
import type { Registry } from 'prom-client';
import type { LimitName } from './limit-names.ts';

/** The state of a connection, read at each scrape. */
export interface Connection {
  connected(): boolean;
  /** Milliseconds of the monotonic clock. */
  oldestUnacknowledgedAt(): number | undefined;
  /** Whether the broker has this limit, according to the latest connection. */
  hasLimit(limit: LimitName): boolean;
}

/** Metrics of the connections to the broker and of received messages. */
export class MqttMetrics {
  readonly #connects: Counter;
  readonly #sessionsLost: Counter;
  readonly #takeovers: Counter;
  readonly #selfTestsFailed: Counter;
  readonly #received: Tally;
  #unacknowledged = 0;
  readonly #connections: Connection[] = [];

  constructor(registry: Registry) {
    const registers = [registry];
    this.#connects = new Counter({
      name: 'engawa_mqtt_connects_total',
      help: 'Connections of this process that the broker accepted.',
      registers,
    });
    this.#sessionsLost = new Counter({
      name: 'engawa_mqtt_sessions_lost_total',
      help: 'Connections at which the broker had lost the session of this client identifier, and with it the queued messages. Connections after a restart of the process count, too.',
      registers,
    });
    this.#takeovers = new Counter({
      name: 'engawa_mqtt_takeovers_total',
      help: 'Connections that ended because another client connected with the same client identifier. Where the broker gives no reason, as with MQTT 3.1.1: connections that ended within 10 seconds, from the fourth in a row.',
      registers,
    });
    this.#selfTestsFailed = new Counter({
      name: 'engawa_mqtt_self_tests_failed_total',
      help: 'Failed self-tests: the broker granted the subscription but did not deliver the test message.',
      registers,
    });
    const received = new FrequentCounter(registry, {
      name: 'engawa_ingest_received_messages_total',
      help: 'MQTT messages received, including redelivered ones: at each scrape the sum of finished and unacknowledged messages.',
    });
    this.#received = received.of({});
    this.#gauges(registry);
    this.#limits(registry);
  }

  /** Adds a connection to the gauges. */
  watch(connection: Connection): void {
    this.#connections.push(connection);
  }

  connected(): void {
    this.#connects.inc();
  }

  sessionLost(): void {
    this.#sessionsLost.inc();
  }

  takenOver(): void {
    this.#takeovers.inc();
  }

  selfTestFailed(): void {
    this.#selfTestsFailed.inc();
  }

  /** A message is unacknowledged from now on, until `released`. */
  taken(): void {
    this.#received.count += 1;
    this.#unacknowledged += 1;
  }

  released(): void {
    this.#unacknowledged -= 1;
  }

  /** A message is finished on receipt: it is dropped for lack of room, or repeats another message. */
  notTaken(): void {
    this.#received.count += 1;
  }

  /** A scrape reads all metrics in one turn of the event loop, so that all of them are of the same moment. */
  #gauges(registry: Registry): void {
    this.#gauge(
      registry,
      'engawa_ingest_unacknowledged_messages',
      'Received messages that are not durable yet, including those of closed connections.',
      () => this.#unacknowledged,
    );
    this.#gauge(
      registry,
      'engawa_mqtt_connected',
      'Whether all connections to the broker are established (1) or not (0).',
      (connections) =>
        Number(connections.length > 0 && connections.every((connection) => connection.connected())),
    );
    this.#gauge(
      registry,
      'engawa_ingest_oldest_unacknowledged_seconds',
      'Age of the oldest message that is not durable yet, in seconds; 0 if there is none.',
      (connections) => {
        const now = performance.now();
        const times = connections.map((connection) => connection.oldestUnacknowledgedAt() ?? now);
        const oldest = Math.min(...times);
        return Math.max(0, now - oldest) / 1000;
      },
    );
  }

  #limits(registry: Registry): void {
    const connections = this.#connections;
    new Gauge({
      name: 'engawa_mqtt_broker_limits',
      help: 'Whether the broker restricts what is configured (1) or not (0), by limit. Readiness has the consequence of each.',
      labelNames: ['limit'],
      registers: [registry],
      collect() {
        for (const limit of limitNames)
          this.set({ limit }, Number(connections.some((one) => one.hasLimit(limit))));
      },
    });
  }

  #gauge(
    registry: Registry,
    name: string,
    help: string,
    read: (connections: readonly Connection[]) => number,
  ): void {
    const connections = this.#connections;
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(connections));
      },
    });
  }
}

import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What some gauges ask when they are scraped. */
export interface Connection {
  connected(): boolean;
  /** Milliseconds of the monotonic clock. */
  oldestUnacknowledgedAt(): number | undefined;
}

/** What is counted of the connection to the broker, and of what it brings. */
export class MqttMetrics {
  readonly #connects: Counter;
  readonly #sessionsLost: Counter;
  readonly #selfTestsFailed: Counter;
  readonly #received: Counter;
  readonly #unacknowledged: Gauge;
  readonly #connections: Connection[] = [];

  constructor(registry: Registry) {
    const registers = [registry];
    this.#connects = new Counter({
      name: 'engawa_mqtt_connects_total',
      help: 'Connections that the broker accepted.',
      registers,
    });
    this.#sessionsLost = new Counter({
      name: 'engawa_mqtt_sessions_lost_total',
      help: 'Connections at which the broker had forgotten the session of this client identifier, and with it what it had queued; after a restart of the process, too.',
      registers,
    });
    this.#selfTestsFailed = new Counter({
      name: 'engawa_mqtt_self_tests_failed_total',
      help: 'Messages that ingestion sent to itself and that did not come back: the broker grants the subscription and delivers nothing.',
      registers,
    });
    this.#received = new Counter({
      name: 'engawa_ingest_received_messages_total',
      help: 'MQTT messages that the broker brought, also those that it brought again: at each scrape as many as are done with and unacknowledged together.',
      registers,
    });
    // Counted, not asked for at a scrape: so it never tells of another moment than the counters beside it.
    this.#unacknowledged = new Gauge({
      name: 'engawa_ingest_unacknowledged_messages',
      help: 'Messages received and not yet durable, also those of a connection that is gone.',
      registers,
    });
    this.#gauge(
      registry,
      'engawa_mqtt_connected',
      '1 while every connection to the broker is there.',
      (connections) =>
        Number(connections.length > 0 && connections.every((connection) => connection.connected())),
    );
    this.#gauge(
      registry,
      'engawa_ingest_oldest_unacknowledged_seconds',
      'Age of the oldest message that is not yet durable; 0 when there is none.',
      (connections) => {
        const now = performance.now();
        const times = connections.map((connection) => connection.oldestUnacknowledgedAt() ?? now);
        const oldest = Math.min(...times);
        return Math.max(0, now - oldest) / 1000;
      },
    );
  }

  /** One more connection for the gauges to ask. */
  watch(connection: Connection): void {
    this.#connections.push(connection);
  }

  connected(): void {
    this.#connects.inc();
  }

  sessionLost(): void {
    this.#sessionsLost.inc();
  }

  selfTestFailed(): void {
    this.#selfTestsFailed.inc();
  }

  /** A message that is held from here on, until it is `released`. */
  taken(): void {
    this.#received.inc();
    this.#unacknowledged.inc();
  }

  released(): void {
    this.#unacknowledged.dec();
  }

  /** A message that is done with as soon as it comes: there is no room for it, or it repeats another one. */
  notTaken(): void {
    this.#received.inc();
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

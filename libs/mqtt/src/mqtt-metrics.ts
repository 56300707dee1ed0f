import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What the gauges ask when they are scraped. */
export interface Unacknowledged {
  connected(): boolean;
  unacknowledged(): number;
  /** Epoch milliseconds. */
  oldestUnacknowledgedAt(): number | undefined;
}

/** What is counted of the connection to the broker. */
export class MqttMetrics {
  readonly #connects: Counter;
  readonly #sessionsLost: Counter;
  #source: Unacknowledged | undefined;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#connects = new Counter({
      name: 'engawa_mqtt_connects_total',
      help: 'Connections that the broker accepted.',
      registers,
    });
    this.#sessionsLost = new Counter({
      name: 'engawa_mqtt_sessions_lost_total',
      help: 'Reconnections at which the broker had forgotten the session, and with it what it had queued.',
      registers,
    });
    this.#gauge(registry, 'engawa_mqtt_connected', '1 while connected to the broker.', (source) =>
      Number(source.connected()),
    );
    this.#gauge(
      registry,
      'engawa_ingest_unacknowledged_messages',
      'Messages received and not yet acknowledged.',
      (source) => source.unacknowledged(),
    );
    this.#gauge(
      registry,
      'engawa_ingest_oldest_unacknowledged_seconds',
      'Age of the oldest message that is not yet acknowledged; 0 when there is none.',
      (source) => {
        const oldest = source.oldestUnacknowledgedAt();
        return oldest === undefined ? 0 : (Date.now() - oldest) / 1000;
      },
    );
  }

  /** Says whom the gauges are to ask. */
  watch(source: Unacknowledged): void {
    this.#source = source;
  }

  connected(): void {
    this.#connects.inc();
  }

  sessionLost(): void {
    this.#sessionsLost.inc();
  }

  #gauge(
    registry: Registry,
    name: string,
    help: string,
    read: (source: Unacknowledged) => number,
  ): void {
    const source = () => this.#source;
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        const current = source();
        this.set(current === undefined ? 0 : read(current));
      },
    });
  }
}

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
  readonly #sources: Unacknowledged[] = [];

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
    this.#gauge(
      registry,
      'engawa_mqtt_connected',
      '1 while every connection to the broker is there.',
      (sources) => Number(sources.length > 0 && sources.every((source) => source.connected())),
    );
    this.#gauge(
      registry,
      'engawa_ingest_unacknowledged_messages',
      'Messages received and not yet durable, also those of a connection that is gone.',
      (sources) => sources.reduce((sum, source) => sum + source.unacknowledged(), 0),
    );
    this.#gauge(
      registry,
      'engawa_ingest_oldest_unacknowledged_seconds',
      'Age of the oldest message that is not yet durable; 0 when there is none.',
      (sources) => {
        const now = Date.now();
        const oldest = Math.min(...sources.map((source) => source.oldestUnacknowledgedAt() ?? now));
        return Math.max(0, now - oldest) / 1000;
      },
    );
  }

  /** One more connection for the gauges to ask. */
  watch(source: Unacknowledged): void {
    this.#sources.push(source);
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
    read: (sources: readonly Unacknowledged[]) => number,
  ): void {
    const sources = this.#sources;
    new Gauge({
      name,
      help,
      registers: [registry],
      collect() {
        this.set(read(sources));
      },
    });
  }
}

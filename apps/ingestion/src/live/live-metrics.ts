import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What the feed reports when metrics are collected. */
interface WatchedFeed {
  readonly listeners: number;
  readonly bufferedBytes: number;
}

/** Metrics of GET /v1/live. */
export class LiveMetrics {
  readonly #registry: Registry;
  readonly #sent: Counter;
  readonly #lost: Counter;

  constructor(registry: Registry) {
    this.#registry = registry;
    this.#sent = new Counter({
      name: 'engawa_ingest_live_events_total',
      help: 'Readings sent to listeners of GET /v1/live, once for each listener.',
      registers: [registry],
    });
    this.#lost = new Counter({
      name: 'engawa_ingest_live_lost_events_total',
      help: 'Readings that listeners of GET /v1/live lost because they read too slowly.',
      registers: [registry],
    });
  }

  watch(feed: WatchedFeed): void {
    const registers = [this.#registry];
    new Gauge({
      name: 'engawa_ingest_live_listeners',
      help: 'Open connections to GET /v1/live.',
      registers,
      collect() {
        this.set(feed.listeners);
      },
    });
    new Gauge({
      name: 'engawa_ingest_live_buffered_bytes',
      help: 'Bytes in memory for GET /v1/live: recent events, and unsent bytes of all connections.',
      registers,
      collect() {
        this.set(feed.bufferedBytes);
      },
    });
  }

  sent(): void {
    this.#sent.inc();
  }

  lost(events: number): void {
    this.#lost.inc(events);
  }
}

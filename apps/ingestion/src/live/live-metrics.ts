import { Counter, Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** What the feed reports when metrics are collected. */
interface WatchedFeed {
  readonly listeners: number;
  readonly bufferedBytes: number;
}

const nobody: WatchedFeed = { listeners: 0, bufferedBytes: 0 };

/** Metrics of GET /v1/live. */
export class LiveMetrics {
  readonly #sent: Counter;
  readonly #lost: Counter;
  readonly #rejected: Counter;
  #feed = nobody;

  constructor(registry: Registry) {
    const registers = [registry];
    this.#sent = new Counter({
      name: 'engawa_ingest_live_events_total',
      help: 'Readings sent to listeners of GET /v1/live, once for each listener.',
      registers,
    });
    this.#lost = new Counter({
      name: 'engawa_ingest_live_lost_events_total',
      help: 'Readings that listeners of GET /v1/live lost because they read too slowly.',
      registers,
    });
    this.#rejected = new Counter({
      name: 'engawa_ingest_live_rejected_listeners_total',
      help: 'Requests for GET /v1/live that were rejected because the replica had MAX_LIVE_LISTENERS open connections.',
      registers,
    });
    const feed = () => this.#feed;
    new Gauge({
      name: 'engawa_ingest_live_listeners',
      help: 'Open connections to GET /v1/live.',
      registers,
      collect() {
        this.set(feed().listeners);
      },
    });
    new Gauge({
      name: 'engawa_ingest_live_buffered_bytes',
      help: 'Bytes in memory for GET /v1/live: recent events, and unsent bytes of all connections.',
      registers,
      collect() {
        this.set(feed().bufferedBytes);
      },
    });
  }

  watch(feed: WatchedFeed): void {
    this.#feed = feed;
  }

  sent(events: number): void {
    this.#sent.inc(events);
  }

  lost(events: number): void {
    this.#lost.inc(events);
  }

  rejected(): void {
    this.#rejected.inc();
  }
}

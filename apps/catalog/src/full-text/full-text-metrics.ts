import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/** Read by the gauges at each scrape. */
export interface FullTextState {
  documents(): number;
  bytes(): number;
  /** Epoch milliseconds. */
  asOf(): number | undefined;
}

/** Metrics of the full-text index. */
export class FullTextMetrics {
  readonly #polls: Counter;
  readonly #changes: Counter;
  readonly #rebuildSeconds: Histogram;
  readonly #timeouts: Counter;

  constructor(registry: Registry, state: FullTextState) {
    const registers = [registry];
    this.#polls = new Counter({
      name: 'engawa_full_text_polls_total',
      help: 'Polls for changed texts, by outcome: ok or failed.',
      labelNames: ['outcome'],
      registers,
    });
    this.#changes = new Counter({
      name: 'engawa_full_text_changes_total',
      help: 'Changes of texts that were applied to the full-text index, including those of rebuilds.',
      registers,
    });
    this.#rebuildSeconds = new Histogram({
      name: 'engawa_full_text_rebuild_seconds',
      help: 'Duration of rebuilds of the full-text index from the table, in seconds.',
      buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600],
      registers,
    });
    this.#timeouts = new Counter({
      name: 'engawa_full_text_timeouts_total',
      help: 'Full-text searches that failed with 503 after FULL_TEXT_TIMEOUT_MS.',
      registers,
    });
    new Gauge({
      name: 'engawa_full_text_bytes',
      help: "Size of this replica's full-text index on disk in bytes; 0 if the index is in OpenSearch.",
      registers,
      collect() {
        this.set(state.bytes());
      },
    });
    new Gauge({
      name: 'engawa_full_text_documents',
      help: 'Entities in the full-text index, on the replica that updates it; 0 on other replicas.',
      registers,
      collect() {
        this.set(state.documents());
      },
    });
    new Gauge({
      name: 'engawa_full_text_stale_seconds',
      help: 'Seconds since the full-text index was last up to date; without an index, seconds since 1970.',
      registers,
      collect() {
        this.set(Math.max(0, Date.now() - (state.asOf() ?? 0)) / 1000);
      },
    });
  }

  polled(outcome: 'ok' | 'failed'): void {
    this.#polls.inc({ outcome });
  }

  applied(changes: number): void {
    this.#changes.inc(changes);
  }

  timedOut(): void {
    this.#timeouts.inc();
  }

  rebuilt(seconds: number): void {
    this.#rebuildSeconds.observe(seconds);
  }
}

import { Counter, Gauge, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';

/** What the gauges ask when they are scraped. */
export interface FullTextState {
  documents(): number;
  bytes(): number;
  /** Epoch milliseconds. */
  asOf(): number | undefined;
}

/** What is measured of the full-text index. */
export class FullTextMetrics {
  readonly #looks: Counter;
  readonly #changes: Counter;
  readonly #rebuildSeconds: Histogram;
  readonly #timeouts: Counter;

  constructor(registry: Registry, state: FullTextState) {
    const registers = [registry];
    this.#looks = new Counter({
      name: 'engawa_full_text_looks_total',
      help: 'Looks for texts that have changed, by outcome: ok or failed.',
      labelNames: ['outcome'],
      registers,
    });
    this.#changes = new Counter({
      name: 'engawa_full_text_changes_total',
      help: 'Changes of the texts of entities that were brought into the index, those of a new one too.',
      registers,
    });
    this.#rebuildSeconds = new Histogram({
      name: 'engawa_full_text_rebuild_seconds',
      help: 'Seconds that it took to make the index from the table.',
      buckets: [0.1, 0.5, 1, 5, 10, 30, 60, 300, 900, 3600],
      registers,
    });
    this.#timeouts = new Counter({
      name: 'engawa_full_text_timeouts_total',
      help: 'Full-text searches that were answered with 503 because they reached FULL_TEXT_TIMEOUT_MS.',
      registers,
    });
    new Gauge({
      name: 'engawa_full_text_bytes',
      help: "Bytes of this replica's full-text index on disk; 0 where the index is in OpenSearch.",
      registers,
      collect() {
        this.set(state.bytes());
      },
    });
    new Gauge({
      name: 'engawa_full_text_documents',
      help: 'Entities in the index, where this replica keeps it up; 0 where another one does.',
      registers,
      collect() {
        this.set(state.documents());
      },
    });
    new Gauge({
      name: 'engawa_full_text_stale_seconds',
      help: 'For how long changes may not be in the index yet; since the epoch where there is no index.',
      registers,
      collect() {
        this.set(Math.max(0, Date.now() - (state.asOf() ?? 0)) / 1000);
      },
    });
  }

  looked(outcome: 'ok' | 'failed'): void {
    this.#looks.inc({ outcome });
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

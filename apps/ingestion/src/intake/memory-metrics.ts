import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** The shares of the memory budget by their use: messages, or uploads and replays. */
type Shares = Partial<Record<'mqtt' | 'http', { readonly used: number }>>;

/** Reports how much of the memory budget is in use. */
export class MemoryMetrics {
  #shares: Shares = {};

  constructor(registry: Registry) {
    const shares = () => this.#shares;
    new Gauge({
      name: 'engawa_ingest_memory_used_ratio',
      help: 'Memory of readings that are not durable, as a ratio of its limit, by use: messages (mqtt), or uploads and replays (http). At 1 ingestion stops reading.',
      labelNames: ['use'],
      registers: [registry],
      collect() {
        for (const [use, { used }] of Object.entries(shares())) this.set({ use }, used);
      },
    });
  }

  /** Reads these shares at each scrape. */
  watch(shares: Shares): void {
    this.#shares = shares;
  }
}

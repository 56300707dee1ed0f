import { Gauge } from 'prom-client';
import type { Registry } from 'prom-client';

/** The shares of the memory budget by their use: messages, or uploads and replays. */
type Shares = Partial<Record<'mqtt' | 'http', { readonly used: number }>>;

/** How much of the memory for readings that are not durable yet is taken. */
export class MemoryMetrics {
  #shares: Shares = {};

  constructor(registry: Registry) {
    const shares = () => this.#shares;
    new Gauge({
      name: 'engawa_ingest_memory_used_ratio',
      help: 'Memory that readings which are not durable yet take, over what they may take, of messages (mqtt) and of uploads and replays (http). At 1 nothing more is read.',
      labelNames: ['use'],
      registers: [registry],
      collect() {
        for (const [use, { used }] of Object.entries(shares())) this.set({ use }, used);
      },
    });
  }

  /** Asks these shares at each scrape. */
  watch(shares: Shares): void {
    this.#shares = shares;
  }
}

import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Counts the rebirths that are requested. */
export class RebirthMetrics {
  readonly #requests: Counter;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: 'engawa_ingest_sparkplug_rebirth_requests_total',
      help: 'Sparkplug nodes asked for their birth, since what they sent could not be understood without.',
      registers: [registry],
    });
  }

  requested(): void {
    this.#requests.inc();
  }
}

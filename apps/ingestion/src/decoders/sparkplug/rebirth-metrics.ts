import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Counts rebirth requests. */
export class RebirthMetrics {
  readonly #requests: Counter;

  constructor(registry: Registry) {
    this.#requests = new Counter({
      name: 'engawa_ingest_sparkplug_rebirth_requests_total',
      help: 'Rebirth requests to Sparkplug nodes whose messages could not be decoded.',
      registers: [registry],
    });
  }

  requested(): void {
    this.#requests.inc();
  }
}

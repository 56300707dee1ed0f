import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Metrics of expiry. */
export class ExpiryMetrics {
  readonly #expired: Counter;

  constructor(registry: Registry) {
    this.#expired = new Counter({
      name: 'engawa_expired_entities_total',
      help: 'Expired entities that this replica has deleted in the background.',
      registers: [registry],
    });
  }

  expired(): void {
    this.#expired.inc();
  }
}

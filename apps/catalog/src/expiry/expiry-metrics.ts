import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** What is measured of entities that expire. */
export class ExpiryMetrics {
  readonly #expired: Counter;

  constructor(registry: Registry) {
    this.#expired = new Counter({
      name: 'engawa_expired_entities_total',
      help: 'Entities that this replica has deleted in the background because they had expired.',
      registers: [registry],
    });
  }

  expired(): void {
    this.#expired.inc();
  }
}

import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** What is noted behind readings: of a device, or its last event at its place. */
export type Bookkeeping = 'device' | 'event';

/** What is measured of the work that no reading waits for. */
export class BookkeepingMetrics {
  readonly #attempts: Counter<'what' | 'outcome'>;

  constructor(registry: Registry) {
    this.#attempts = new Counter({
      name: 'engawa_ingest_bookkeeping_total',
      help: 'Attempts of bookkeeping, which no reading waits for: of a device (last seen, lists, kind) or an event (the last one at a place), by outcome: done, retried, or dropped, since the table refuses it for good.',
      labelNames: ['what', 'outcome'],
      registers: [registry],
    });
  }

  attempted(what: Bookkeeping, outcome: 'done' | 'retried' | 'dropped'): void {
    this.#attempts.inc({ what, outcome });
  }
}

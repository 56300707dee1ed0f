import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Kind of bookkeeping: of a device, or of its last event at its placement. */
export type BookkeepingKind = 'device' | 'event';

/** Counts the background work that no reading waits for. */
export class BookkeepingMetrics {
  readonly #attempts: Counter<'what' | 'outcome'>;

  constructor(registry: Registry) {
    this.#attempts = new Counter({
      name: 'engawa_ingest_bookkeeping_total',
      help: 'Attempts of background updates of a device (last seen, lists, kind) or an event (last event of a placement), by outcome: done, retried, or dropped because the table rejects the update permanently.',
      labelNames: ['what', 'outcome'],
      registers: [registry],
    });
  }

  attempted(what: BookkeepingKind, outcome: 'done' | 'retried' | 'dropped'): void {
    this.#attempts.inc({ what, outcome });
  }
}

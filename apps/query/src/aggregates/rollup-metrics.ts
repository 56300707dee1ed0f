import { Counter } from 'prom-client';
import type { Registry } from 'prom-client';

/** Why a rollup was not stored: it exceeds a transaction, or the table refused it. */
export type NotStoredReason = 'too_large' | 'failed';

/** Counts rollups that could not be stored. */
export class RollupMetrics {
  readonly #notStored: Counter<'reason'>;

  constructor(registry: Registry) {
    this.#notStored = new Counter({
      name: 'engawa_query_rollups_not_stored_total',
      help: 'Rollups that were computed and could not be stored, by reason. `too_large`: the rollup exceeds a transaction of DynamoDB. `failed`: the table refused the write, and the next request computes the rollup again.',
      labelNames: ['reason'],
      registers: [registry],
    });
  }

  notStored(reason: NotStoredReason, rollups: number): void {
    this.#notStored.inc({ reason }, rollups);
  }
}

import { FrequentCounter } from '@engawa/service';
import type { ServiceContext } from '@engawa/service';

/** Why a rollup was not stored: it exceeds a transaction, or the table refused it. */
export type NotStoredReason = 'too_large' | 'failed';

/** Counts rollups that could not be stored. */
export class RollupMetrics {
  readonly #notStored: FrequentCounter<'reason'>;

  constructor(registry: ServiceContext<unknown>['registry']) {
    this.#notStored = new FrequentCounter(registry, {
      name: 'engawa_query_rollups_not_stored_total',
      help: 'Rollups that were computed and could not be stored, by reason. `too_large`: the rollup exceeds a transaction of DynamoDB. `failed`: the table refused the write, and the next request computes the rollup again.',
      labelNames: ['reason'],
    });
  }

  notStored(reason: NotStoredReason, rollups: number): void {
    this.#notStored.add({ reason }, rollups);
  }
}

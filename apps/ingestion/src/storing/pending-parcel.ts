import { RefusalList } from '../refusals/refusal.ts';
import type { Reading } from '@engawa/model';
import type { Span } from '@opentelemetry/api';
import type { Refusal } from '../refusals/refusal.ts';
import type { Parcel } from './parcel.ts';

/** A parcel whose sender waits for the outcome. */
export class PendingParcel implements Parcel {
  readonly readings: readonly Reading[];
  readonly traceSpan: Span | undefined;
  /** Refusals of the readings that the table rejects; resolves once all other readings are durable. */
  readonly outcome: Promise<Refusal[]>;
  readonly fail: (error: unknown) => void;
  readonly #indexes: readonly number[];
  readonly #refused = new RefusalList();
  readonly #resolvers = Promise.withResolvers<Refusal[]>();

  /** @param indexes of the readings among all readings that arrived together */
  constructor(
    readings: readonly Reading[],
    indexes: readonly number[],
    traceSpan: Span | undefined,
  ) {
    this.readings = readings;
    this.traceSpan = traceSpan;
    this.#indexes = indexes;
    this.outcome = this.#resolvers.promise;
    this.fail = this.#resolvers.reject;
  }

  resolve(): void {
    this.#resolvers.resolve(this.#refused.all);
  }

  refuse(readings: readonly Reading[], detail: string): void {
    const refused = new Set(readings);
    for (const [at, reading] of this.readings.entries()) {
      const index = this.#indexes[at];
      if (index === undefined || !refused.has(reading)) continue;
      this.#refused.add({ reason: 'refused_by_table', detail, index });
    }
  }
}

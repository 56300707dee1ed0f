import { invariant } from '@engawa/errors';
import { kindsOf, placeOfKind } from './key-kind.ts';
import type { IndexKind } from './key-kind.ts';
import type { PartitionKind } from '../keys/partition-kind.ts';

/** What a history records of a key, in the order of its cells: capacity units, and throttled items and Queries. */
export const measures = ['reads', 'writes', 'throttles'] as const;
export type Measure = (typeof measures)[number];

/** Receives the use of partition keys since the last call. */
export interface UseVisitor {
  ofKey(index: string, measure: Measure, partition: string, amount: number): void;
  /** The sum of keys of this kind that a sketch no longer counts. */
  ofKind(index: string, measure: Measure, kind: PartitionKind, amount: number): void;
}

/** Sums of the keys that a sketch has replaced, by kind: exact, where the sketch itself knows only a bound. */
export class ReplacedUse {
  readonly #index: string;
  readonly #measure: Measure;
  readonly #kinds: readonly IndexKind[];
  /** A sum for each kind, and one for unknown keys. */
  readonly #sums: Float64Array;

  constructor(index: string, measure: Measure) {
    this.#index = index;
    this.#measure = measure;
    this.#kinds = kindsOf(index);
    this.#sums = new Float64Array(this.#kinds.length + 1);
  }

  add(partition: string, amount: number): void {
    const place = placeOfKind(this.#kinds, partition);
    this.#sums[place] = invariant(this.#sums[place], 'each kind has a sum') + amount;
  }

  take(visitor: UseVisitor): void {
    this.#sums.forEach((sum, place) => {
      const kind = this.#kinds[place]?.kind ?? 'unknown';
      if (sum > 0) visitor.ofKind(this.#index, this.#measure, kind, sum);
    });
    this.#sums.fill(0);
  }
}

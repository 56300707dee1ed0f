import { kindByPrefix } from './key-kind.ts';
import type { PartitionKind } from '../partition-kind.ts';

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
  readonly #sums = new Map<PartitionKind, number>();

  constructor(index: string, measure: Measure) {
    this.#index = index;
    this.#measure = measure;
  }

  add(partition: string, amount: number): void {
    const kind = kindByPrefix(this.#index, partition);
    this.#sums.set(kind, (this.#sums.get(kind) ?? 0) + amount);
  }

  take(visitor: UseVisitor): void {
    for (const [kind, sum] of this.#sums) visitor.ofKind(this.#index, this.#measure, kind, sum);
    this.#sums.clear();
  }
}

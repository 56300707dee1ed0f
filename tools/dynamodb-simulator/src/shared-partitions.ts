import { z } from 'zod';
import { isNamed } from './rules/key-name.ts';
import type { Charge } from './rules/charge.ts';

export const sharedPartitionsSchema = z.array(
  z.strictObject({
    /** `table`, or the name of an index. */
    target: z.string().default('table'),
    /** Partition keys; one that ends with `*` is a prefix. */
    keys: z.array(z.string().min(1)).min(1),
  }),
);
export type SharedPartition = z.output<typeof sharedPartitionsSchema>[number];

/**
 * Keys that DynamoDB keeps in one partition, and throttles together. After some time it gives the keys of a throttled
 * partition partitions of their own (developer guide, "Best practices for designing partition keys", burst and adaptive
 * capacity; AWS does not tell how soon).
 */
export class SharedPartitions {
  readonly #partitions: readonly SharedPartition[];
  readonly #isolateAfterMs: number;
  /** Milliseconds of the first throttle, by partition. */
  readonly #throttledAt = new Map<SharedPartition, number>();

  constructor(partitions: readonly SharedPartition[], isolateAfterSeconds: number) {
    this.#partitions = partitions;
    this.#isolateAfterMs = isolateAfterSeconds * 1000;
  }

  /** The name of the partition of a charge: its own key, or that of the first of the keys which share one. */
  nameOf({ target, key }: Charge, now: number): string {
    const shared = this.#find(target, key);
    if (shared === undefined) return key ?? '';
    const throttledAt = this.#throttledAt.get(shared) ?? Infinity;
    return now - throttledAt >= this.#isolateAfterMs ? (key ?? '') : `shared\n${shared.keys[0]}`;
  }

  throttled({ target, key }: Charge, now: number): void {
    const shared = this.#find(target, key);
    if (shared !== undefined && !this.#throttledAt.has(shared)) this.#throttledAt.set(shared, now);
  }

  #find(target: string, key = ''): SharedPartition | undefined {
    return this.#partitions.find(
      (shared) => shared.target === target && shared.keys.some((one) => isNamed(one, key)),
    );
  }
}

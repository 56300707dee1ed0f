import type { ShardFamily } from '@engawa/keys';
import type { Shards } from './shards.ts';

/** Index keys that are spread over the shards of a family. */
export interface ShardedIndexKeys {
  shards: Shards;
  family: ShardFamily;
}

/**
 * Queries all shards of a family at once. Their number is checked again after the responses, without a request: a
 * concurrent change may have moved an entry to a new shard; then all shards are queried again, including the new one.
 * During a shrink, the shards to which entries move are queried after all others have responded: an entry is in one of
 * the responses, or in two of them.
 * @returns the results, that of the newer state of an entry last
 */
export async function queryEachShard<Result>(
  { shards, family }: ShardedIndexKeys,
  query: (shard: number) => Promise<Result>,
): Promise<Result[]> {
  for (;;) {
    const { count, movingBelow = 0 } = await shards.readPlan(family);
    const queryFrom = (first: number, end: number) =>
      Promise.all(Array.from({ length: end - first }, (_, index) => query(first + index)));
    const results = await queryFrom(movingBelow, count);
    if (movingBelow > 0) results.push(...(await queryFrom(0, movingBelow)));
    const after = await shards.readPlan(family);
    if (after.count === count && (after.movingBelow ?? 0) === movingBelow) return results;
  }
}

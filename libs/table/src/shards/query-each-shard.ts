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
 */
export async function queryEachShard<Result>(
  { shards, family }: ShardedIndexKeys,
  query: (shard: number) => Promise<Result>,
): Promise<Result[]> {
  for (;;) {
    const count = await shards.toRead(family);
    const results = await Promise.all(Array.from({ length: count }, (_, shard) => query(shard)));
    if ((await shards.toRead(family)) === count) return results;
  }
}

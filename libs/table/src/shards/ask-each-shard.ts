import type { ShardFamily } from '@engawa/keys';
import type { Shards } from './shards.ts';

/** Index keys that are spread over the shards of a family. */
export interface Sharded {
  shards: Shards;
  family: ShardFamily;
}

/**
 * What all shards answer to the same question, asked at once. Their number is looked at again behind the answers, which costs
 * no request: an entry that was there may have been moved by a change to a shard that is new, and that one must not be left
 * out however long the answers took.
 */
export async function queryEachShard<Answer>(
  { shards, family }: Sharded,
  ask: (shard: number) => Promise<Answer>,
): Promise<Answer[]> {
  for (;;) {
    const count = await shards.toRead(family);
    const answers = await Promise.all(Array.from({ length: count }, (_, shard) => ask(shard)));
    if ((await shards.toRead(family)) === count) return answers;
  }
}

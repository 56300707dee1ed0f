import type { ShardFamily } from '@engawa/keys';
import type { Shards } from './shards.ts';

export interface WalkedShards {
  shards: Pick<Shards, 'readPlan'>;
  family: ShardFamily;
}

/**
 * The shards of a family in an order in which a reader of one after the other misses no entry that moves: a growth
 * moves entries to higher shards. After a walk during a shrink, which moves them to lower ones, the lower shards come
 * again. Entries may therefore be read twice. Between a growth and the end of its activation, an entry may move down.
 * @throws as `Shards.toRead`
 */
export async function* walkShards({ shards, family }: WalkedShards): AsyncGenerator<number> {
  let again = 0;
  for (let shard = 0; ; shard++) {
    const { count, movingBelow = 0 } = await shards.readPlan(family);
    // A shrink that began and ended since the last step has lowered the number.
    again = Math.max(again, movingBelow, count < shard ? count : 0);
    if (shard >= count) break;
    yield shard;
  }
  for (let shard = 0; shard < again; shard++) yield shard;
}

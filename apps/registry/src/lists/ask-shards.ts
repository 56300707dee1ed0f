import { queryEachShard, mergeShards } from '@engawa/table';
import type { MergedPage, ShardRow, Sharded, ShardPage } from '@engawa/table';

export interface ShardedQuestion {
  limit: number;
  descending?: boolean | undefined;
}

/** The next rows of a list; one question to each shard, all at once. */
export async function askShards<R extends ShardRow>(
  list: Sharded,
  { limit, descending }: ShardedQuestion,
  ask: (shard: number, limit: number) => Promise<ShardPage<R>>,
): Promise<MergedPage<R>> {
  // One more than asked for tells whether there is a next page.
  const pages = await queryEachShard(list, (shard) => ask(shard, limit + 1));
  return mergeShards(pages, limit, { descending });
}

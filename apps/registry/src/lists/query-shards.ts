import { queryEachShard, mergeShards } from '@engawa/table';
import type { MergedPage, ShardRow, ShardedIndexKeys, ShardPage } from '@engawa/table';

export interface ShardedRequest {
  limit: number;
  descending?: boolean | undefined;
}

/** The next rows of a list: one concurrent Query per shard. */
export async function queryShards<R extends ShardRow>(
  list: ShardedIndexKeys,
  { limit, descending }: ShardedRequest,
  ask: (shard: number, limit: number) => Promise<ShardPage<R>>,
): Promise<MergedPage<R>> {
  // One row more than requested shows whether there is a next page.
  const pages = await queryEachShard(list, (shard) => ask(shard, limit + 1));
  return mergeShards(pages, limit, { descending });
}

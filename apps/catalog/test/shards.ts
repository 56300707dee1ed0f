import { shardMapKey } from '@engawa/keys';
import type { ShardFamily } from '@engawa/keys';
import type { Table } from '@engawa/table';

/** Gives each family four shards, effective for an hour. */
export async function inFourShards(table: Table, ...families: ShardFamily[]): Promise<void> {
  const epochs = [{ since: 0, count: 4, from: Date.now() - 3_600_000 }];
  for (const family of families) await table.put({ ...shardMapKey(family), epochs });
}

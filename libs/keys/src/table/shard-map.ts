import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

export const shardMapPartition = partitionKey('pk', ['SHARDS']);

/** The shard counts of one family; `family` is the family's partition key without its shard, as segments. */
export function shardMapKey(family: readonly string[]): Key {
  return { pk: shardMapPartition, sk: sortKey('family', family) };
}

/**
 * The id of the table, as the item of a family without shards: every process reads this partition in the background.
 */
export const tableIdKey: Key = shardMapKey(['TABLE']);

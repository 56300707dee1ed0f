import { familyLabel, shardedPartition } from '@engawa/keys';

/** The family of a partition key without ids; undefined for a key that has no shards. */
export function familyName(index: string, partition: string): string | undefined {
  const sharded = shardedPartition(index, partition);
  if (sharded === undefined) return undefined;
  return sharded.kind === 'device' ? 'DEVICE' : familyLabel(sharded.family);
}

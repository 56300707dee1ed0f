import type { PartitionKind } from '../partition-kind.ts';

/** The kinds of keys in each index by their first segment; `device` first, since most keys are of devices. */
const kindsByIndex: Readonly<Record<string, readonly (readonly [string, PartitionKind])[]>> = {
  table: [
    ['DEVICE', 'device'],
    ['E', 'entity'],
    ['UNIQUE', 'uniqueValue'],
    ['PLACE', 'place'],
    ['ROOM', 'room'],
    ['DLQ', 'deadLetters'],
    ['TYPE', 'types'],
    ['SHARDS', 'shardMap'],
  ],
  gsi1: [
    ['LIST', 'list'],
    ['E', 'relations'],
    ['DEVICE', 'memberships'],
  ],
  gsi2: [
    ['SEEN', 'seen'],
    ['A', 'attribute'],
    ['CHANGED', 'text'],
    ['EXPIRES', 'expiry'],
  ],
};

/**
 * The kind of a partition key by its first segment only. A sketch calls it for each replaced key, so it allocates
 * nothing; for keys of Engawa it agrees with `kindOf`.
 */
export function kindByPrefix(index: string, partition: string): PartitionKind {
  for (const [word, kind] of kindsByIndex[index] ?? []) {
    if (!partition.startsWith(word)) continue;
    if (partition.length === word.length || partition[word.length] === '#') return kind;
  }
  return 'unknown';
}

/** The name of the merged keys of a kind: the first segment of its keys, or `OTHER`. */
export function nameOfKind(index: string, kind: string): string {
  const found = kindsByIndex[index]?.find(([, each]) => each === kind);
  return found?.[0] ?? 'OTHER';
}

import { invariant } from '@engawa/errors';
import { shardedPartition } from '@engawa/keys';
import { readPartition } from './key-grammar.ts';
import type { ShardedPartition } from '@engawa/keys';
import type { Partition } from './partition.ts';

/** Kinds with shards, whose load can be spread over more keys. */
export type ShardedKind = ShardedPartition['kind'];

/** The kind of a partition key, as far as advice depends on it. */
export type PartitionKind = ShardedKind | SingleKind;

type SingleKind =
  | 'relations'
  | 'memberships'
  | 'entity'
  | 'uniqueValue'
  | 'place'
  | 'room'
  | 'deadLetters'
  | 'parkedBlocks'
  | 'types'
  | 'shardMap'
  | 'unknown';

/** The place in a partition key of the table; undefined for other keys. */
export function placeOfPartition(partition: string): string | undefined {
  const [kind, place] = readPartition(partition) ?? [];
  return kind?.text === 'PLACE' || kind?.text === 'ROOM' ? place?.text : undefined;
}

/** By the index and the key's first segment. */
const singleKinds = new Map<string, SingleKind>([
  ['table E', 'entity'],
  ['table UNIQUE', 'uniqueValue'],
  ['table PLACE', 'place'],
  ['table ROOM', 'room'],
  ['table DLQ', 'deadLetters'],
  ['table PARKED', 'parkedBlocks'],
  ['table TYPE', 'types'],
  ['table SHARDS', 'shardMap'],
  ['gsi1 E', 'relations'],
  ['gsi1 DEVICE', 'memberships'],
]);

/** Never throws: a table may contain keys of other applications. */
export function kindOf({
  index,
  partition,
}: Pick<Partition, 'index' | 'partition'>): PartitionKind {
  const segments = readPartition(partition);
  if (segments === undefined) return 'unknown';
  const first = invariant(segments[0], 'a key has a first segment').text;
  return shardedKindOf(index, partition) ?? singleKinds.get(`${index} ${first}`) ?? 'unknown';
}

/** Undefined for a key without shards. */
export function shardedKindOf(index: string, partition: string): ShardedKind | undefined {
  return readPartition(partition) && shardedPartition(index, partition)?.kind;
}

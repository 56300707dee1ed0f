import { invariant } from '@engawa/errors';
import type { PartitionKind } from '../keys/partition-kind.ts';

/** A kind of keys of an index. */
export interface IndexKind {
  /** The first segment of its keys. */
  word: string;
  kind: PartitionKind;
}

const kindsByIndex: Readonly<Record<string, readonly IndexKind[]>> = {
  table: [
    { word: 'DEVICE', kind: 'device' },
    { word: 'E', kind: 'entity' },
    { word: 'UNIQUE', kind: 'uniqueValue' },
    { word: 'PLACE', kind: 'place' },
    { word: 'ROOM', kind: 'room' },
    { word: 'DLQ', kind: 'deadLetters' },
    { word: 'PARKED', kind: 'parkedBlocks' },
    { word: 'TYPE', kind: 'types' },
    { word: 'SHARDS', kind: 'shardMap' },
  ],
  gsi1: [
    { word: 'LIST', kind: 'list' },
    { word: 'E', kind: 'relations' },
    { word: 'DEVICE', kind: 'memberships' },
  ],
  gsi2: [
    { word: 'SEEN', kind: 'seen' },
    { word: 'A', kind: 'attribute' },
    { word: 'CHANGED', kind: 'text' },
    { word: 'EXPIRES', kind: 'expiry' },
  ],
};

/** The kinds of keys in an index, the most frequent first. Keys of no kind are `unknown`. */
export function kindsOf(index: string): readonly IndexKind[] {
  return kindsByIndex[index] ?? [];
}

/**
 * The place of the kind of a key in `kindsOf`, or their number for an unknown key. Only the first segment is read,
 * without allocations, since a sketch calls it for each replaced key; for keys of Engawa the kind is that of `kindOf`.
 */
export function placeOfKind(kinds: readonly IndexKind[], partition: string): number {
  for (let place = 0; place < kinds.length; place++) {
    const { word } = invariant(kinds[place], 'the place is within the kinds');
    if (!partition.startsWith(word)) continue;
    if (partition.length === word.length || partition[word.length] === '#') return place;
  }
  return kinds.length;
}

/** The kind of a key by its first segment. */
export function kindByPrefix(index: string, partition: string): PartitionKind {
  const kinds = kindsOf(index);
  return kinds[placeOfKind(kinds, partition)]?.kind ?? 'unknown';
}

/** The name of the merged keys of a kind: the first segment of its keys, or `OTHER`. */
export function nameOfKind(index: string, kind: string): string {
  return kindsOf(index).find((each) => each.kind === kind)?.word ?? 'OTHER';
}

import { createHmac } from 'node:crypto';
import { encodeTuple } from '@engawa/keys';
import { readPartition } from './key-grammar.ts';
import type { ReadSegment } from './key-grammar.ts';

/**
 * How partition keys are shown to people: as they are, with a hash in place of what names
 * somebody's thing, or by their family alone.
 */
export const keyNamings = ['shown', 'hashed', 'hidden'] as const;
export type KeyNaming = (typeof keyNamings)[number];

export interface KeyNamerOptions {
  naming: KeyNaming;
  /** Makes hashes that nobody can guess the key of; the same for all who are to give the same names. */
  secret: string;
}

/** A function from partition keys to names. */
export type KeyNamer = (index: string, partition: string) => string;

/** 48 bits: of a million keys, hardly two have the same name. */
const hashDigits = 12;

/** The secret may sign other things too: what is hashed here begins with what it is for. */
const purpose = 'hot partition name';

/** What stands for a key that is none of ours. */
const unknownKind = 'OTHER';

export function keyNamer({ naming, secret }: KeyNamerOptions): KeyNamer {
  const hashed: KeyNamer = (_index, partition) => hashedName(partition, secret);
  const hidden: KeyNamer = (_index, partition) => hiddenName(partition);
  return { shown: (_index: string, partition: string) => partition, hashed, hidden }[naming];
}

/** `ROOM#2f0c91d4a7be#81d09e33c5f2`: the second hash is of both ids, since rooms of many places have the same. */
function hashedName(partition: string, secret: string): string {
  const segments = readPartition(partition);
  if (segments === undefined) return encodeTuple([unknownKind, hashOf([partition], secret)]);
  const named = segments.map((segment, place) => {
    if (!segment.private) return segment.text;
    const path = segments.slice(0, place + 1).map(({ text }) => text);
    return hashOf(path, secret);
  });
  return encodeTuple(named);
}

/** `DEVICE`, also of its other shards; `E#artist`; `LIST#DEVICE#3` as it is. */
function hiddenName(partition: string): string {
  const segments: readonly ReadSegment[] = readPartition(partition) ?? [
    { text: unknownKind, private: false },
  ];
  const end = segments.findIndex((segment) => segment.private);
  const readable = end === -1 ? segments : segments.slice(0, end);
  return encodeTuple(readable.map(({ text }) => text));
}

function hashOf(path: readonly string[], secret: string): string {
  const about = JSON.stringify([purpose, ...path]);
  return createHmac('sha256', secret).update(about).digest('hex').slice(0, hashDigits);
}

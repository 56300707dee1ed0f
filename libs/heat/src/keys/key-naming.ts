import { createHmac } from 'node:crypto';
import { encodeTuple } from '@engawa/keys';
import { readPartition } from './key-grammar.ts';
import type { ReadSegment } from './key-grammar.ts';

/** How partition keys are displayed: unchanged, with ids of user data replaced by hashes, or by their family only. */
export const keyNamings = ['shown', 'hashed', 'hidden'] as const;
export type KeyNaming = (typeof keyNamings)[number];

export interface KeyNamerOptions {
  naming: KeyNaming;
  /** The key of the hashes, which must be secret; the same for all processes with equal names. */
  secret: string;
}

/** A function from partition keys to names. */
export type KeyNamer = (index: string, partition: string) => string;

/** 48 bits: few of a million keys share a name. */
const hashDigits = 12;

/** A domain separator: the secret may sign other data, too. */
const purpose = 'hot partition name';

/** The name of a key that is not Engawa's. */
const unknownKind = 'OTHER';

export function keyNamer({ naming, secret }: KeyNamerOptions): KeyNamer {
  const hashed: KeyNamer = (_index, partition) => hashedName(partition, secret);
  const hidden: KeyNamer = (_index, partition) => hiddenName(partition);
  return { shown: (_index: string, partition: string) => partition, hashed, hidden }[naming];
}

/** `ROOM#2f0c91d4a7be#81d09e33c5f2`: the second hash covers both ids, since rooms of many places have equal ids. */
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

/** `DEVICE`, also for its other shards; `E#artist`; `LIST#DEVICE#3` unchanged. */
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

import { epochDocuments } from './shard-epochs.ts';
import type { Key } from '@engawa/keys';
import type { Device } from './device.ts';
import type { Document } from './item-size.ts';

/**
 * What stays of a deleted device, place or room under its key until all that belonged to it is erased, so that no other of
 * its id is created meanwhile (docs/adr/0043). It has no version: `present('version')` holds only for the thing itself.
 */
export interface Tombstone {
  /** Names this deletion among those of the same id. */
  deletion: string;
  /** Epoch milliseconds. */
  deletedAt: number;
}

/**
 * Seconds that the tombstone of a device stays after everything is erased: longer than ingestion uses what it has read of a
 * device, so that the next device of the id gets the shards and the span that ingestion still writes by (docs/adr/0074).
 */
const keptAfterErasure = 7 * 86_400;

export function tombstoneItem({ pk, sk }: Key, { deletion, deletedAt }: Tombstone): Document {
  return { pk, sk, deletion, deletedAt };
}

/** Where the readings of the next device of the id may be: in as many shards, in blocks as long. */
export function reachOf({ span, shards }: Pick<Device, 'span' | 'shards'>): Document {
  return { span, ...(shards !== undefined && { shards: epochDocuments(shards) }) };
}

/** What the tombstone of a device gets once everything is erased: with it, the id can be used again. @param now epoch milliseconds */
export function erasedAttributes(now: number): Document {
  return { erasedAt: now, ttl: Math.ceil(now / 1000) + keptAfterErasure };
}

/** All that a tombstone has and the thing itself has not. */
export const tombstoneFields = ['deletion', 'deletedAt', 'erasedAt', 'ttl'] as const;

/** Undefined where the item is the thing itself. */
export function tombstoneOf(item: Document): Tombstone | undefined {
  const { deletion, deletedAt } = item;
  if (typeof deletion !== 'string') return undefined;
  return { deletion, deletedAt: Number(deletedAt) };
}

/** The item, unless it is only a tombstone. */
export function unlessDeleted(item: Document | undefined): Document | undefined {
  return item === undefined || tombstoneOf(item) !== undefined ? undefined : item;
}

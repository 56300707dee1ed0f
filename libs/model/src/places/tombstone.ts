import { epochDocuments } from '../devices/shard-epochs.ts';
import type { Key } from '@engawa/keys';
import type { Device } from '../devices/device.ts';
import type { Document } from '../values/item-size.ts';

/**
 * Replaces the item of a deleted device, place or room until its data is purged, so that the id is
 * not used again meanwhile (docs/adr/0043). A tombstone has no version: `present('version')` holds
 * only for an existing device, place or room.
 */
export interface Tombstone {
  /** Identifies this deletion among those of the same id. */
  deletion: string;
  /** Epoch milliseconds. */
  deletedAt: number;
}

/**
 * How long a device's tombstone stays after the purge: longer than ingestion caches a device, so
 * that the next device of the id gets the shards and the span with which ingestion may still write
 * (docs/adr/0074).
 */
const keptAfterPurgeSeconds = 7 * 86_400;

export function tombstoneItem({ pk, sk }: Key, { deletion, deletedAt }: Tombstone): Document {
  return { pk, sk, deletion, deletedAt };
}

/** Attributes that the next device of the id inherits: its readings may be in as many shards and in blocks as long. */
export function inheritedAttributes({ span, shards }: Pick<Device, 'span' | 'shards'>): Document {
  return { span, ...(shards !== undefined && { shards: epochDocuments(shards) }) };
}

/**
 * Attributes added to a device's tombstone after the purge; then the id can be used again.
 * @param now epoch milliseconds
 */
export function erasedAttributes(now: number): Document {
  return { erasedAt: now, ttl: Math.ceil(now / 1000) + keptAfterPurgeSeconds };
}

/** Attributes that only tombstones have. */
export const tombstoneFields = ['deletion', 'deletedAt', 'erasedAt', 'ttl'] as const;

/** Undefined where the item is no tombstone. */
export function tombstoneOf(item: Document): Tombstone | undefined {
  const { deletion, deletedAt } = item;
  if (typeof deletion !== 'string') return undefined;
  return { deletion, deletedAt: Number(deletedAt) };
}

/** The item, or undefined for a tombstone. */
export function unlessDeleted(item: Document | undefined): Document | undefined {
  return item === undefined || tombstoneOf(item) !== undefined ? undefined : item;
}

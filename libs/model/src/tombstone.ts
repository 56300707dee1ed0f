import type { Key } from '@engawa/keys';
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

export function tombstoneItem({ pk, sk }: Key, { deletion, deletedAt }: Tombstone): Document {
  return { pk, sk, deletion, deletedAt };
}

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

import { allOf, equal } from '@engawa/table';
import type { Revision } from '@engawa/http';
import type { Condition } from '@engawa/table';

/** An item with an ETag: a device, a place, a room, or a correction. */
export interface VersionedItem {
  version: number;
  /** Epoch milliseconds. */
  registeredAt: number;
}

/** Characters of a creation time in base 36: enough until the year 5188. */
const creationLength = 9;
/** A time at which nothing was created. */
const never = -1;

/**
 * The state of an item, for its ETag. Versions begin at 1 with each creation. An id is created
 * again only after the former item is purged, so the creation time distinguishes all items of an
 * id.
 */
export function revisionOf({ version, registeredAt }: VersionedItem): Revision {
  const creation = registeredAt.toString(36).toUpperCase().padStart(creationLength, '0');
  return { version, creation };
}

/** A revision without a creation time, as in ETags of earlier releases, matches that version of any item. */
export function isRevision(item: VersionedItem, { version, creation }: Revision): boolean {
  const isSame = creation === undefined || createdAt(creation) === item.registeredAt;
  return item.version === version && isSame;
}

/** The condition that the stored item has this revision. */
export function hasRevision({ version, creation }: Revision): Condition {
  const isVersion = equal('version', version);
  if (creation === undefined) return isVersion;
  return allOf(isVersion, equal('registeredAt', createdAt(creation)));
}

function createdAt(creation: string): number {
  return creation.length === creationLength ? Number.parseInt(creation, 36) : never;
}

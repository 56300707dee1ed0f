import { allOf, equal } from '@engawa/table';
import type { Revision } from '@engawa/http';
import type { Condition } from '@engawa/table';

/** A device, a place or a room; a correction by when it was made. */
export interface Revised {
  version: number;
  /** Epoch milliseconds. */
  registeredAt: number;
}

/** Characters of the time of a creation, in base 36: enough until the year 5188. */
const creationLength = 9;
/** When nothing was created. */
const never = -1;

/**
 * The state of an item, for its ETag. Versions begin at 1 with each creation. An id is not created again before what was
 * deleted is erased, so the time of its creation tells the item from all others of that id.
 */
export function revisionOf({ version, registeredAt }: Revised): Revision {
  const creation = registeredAt.toString(36).toUpperCase().padStart(creationLength, '0');
  return { version, creation };
}

/** A revision without a creation, as ETags of earlier releases have it, is that version of any. */
export function isRevision(item: Revised, { version, creation }: Revision): boolean {
  const isSame = creation === undefined || createdAt(creation) === item.registeredAt;
  return item.version === version && isSame;
}

/** That the item of the table is in that state. */
export function hasRevision({ version, creation }: Revision): Condition {
  const isVersion = equal('version', version);
  if (creation === undefined) return isVersion;
  return allOf(isVersion, equal('registeredAt', createdAt(creation)));
}

function createdAt(creation: string): number {
  return creation.length === creationLength ? Number.parseInt(creation, 36) : never;
}

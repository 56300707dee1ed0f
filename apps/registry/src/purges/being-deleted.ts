import { Problem } from '@engawa/errors';
import { tombstoneOf } from '@engawa/model';
import type { Document } from '@engawa/model';

/** What belonged to a place or a room is erased within a second or two, unless there is very much of it. */
const locationSeconds = 2;

/**
 * Refuses to create what is still being deleted.
 * @param item what has the key of the thing to be created
 * @param title of the thing, for people
 * @param settleMs for how long after the deletion it is refused at least (milliseconds)
 * @throws Problem `being-deleted` where the item is a tombstone
 */
export function refuseWhileDeleted(item: Document | undefined, title: string, settleMs = 0): void {
  const tombstone = item && tombstoneOf(item);
  if (tombstone === undefined) return;
  const settling = Math.ceil((tombstone.deletedAt + settleMs - Date.now()) / 1000);
  const retryAfterSeconds = Math.max(0, settling) + locationSeconds;
  const detail = `The ${title} was deleted, and what belonged to it is still being erased.`;
  throw new Problem('being-deleted', detail, { retryAfterSeconds });
}

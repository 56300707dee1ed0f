import { Problem } from '@engawa/errors';
import { tombstoneOf } from '@engawa/model';
import type { Document } from '@engawa/model';

/** A place or a room is purged within a second or two, unless it is very large. */
const locationSeconds = 2;

/**
 * Rejects the creation of an item that is still being deleted.
 * @param item the item under the key of the new item
 * @param title of the resource, for the client
 * @param quiescenceMs minimum time after the deletion
 * @throws Problem `being-deleted` where the item is a tombstone
 */
export function refuseWhileDeleted(
  item: Document | undefined,
  title: string,
  quiescenceMs = 0,
): void {
  const tombstone = item && tombstoneOf(item);
  if (tombstone === undefined) return;
  const settling = Math.ceil((tombstone.deletedAt + quiescenceMs - Date.now()) / 1000);
  const retryAfterSeconds = Math.max(0, settling) + locationSeconds;
  const detail = `The ${title} was deleted, and its data is still being purged.`;
  throw new Problem('being-deleted', detail, { retryAfterSeconds });
}

import { membersPartition, placementKey, placePartition, roomKey } from '@engawa/keys';
import { isCurrent, parseMembership, parsePlacement, parseRoom, tombstoneOf } from '@engawa/model';
import { ConditionFailed, equal } from '@engawa/table';
import { purgeFound, found } from './purge-found.ts';
import { moveOut } from './move-out.ts';
import type { Key } from '@engawa/keys';
import type { Condition } from '@engawa/table';
import type { PurgeOptions } from './purge-found.ts';
import type { MoveOutOptions } from './move-out.ts';

export type PurgeLocationOptions = PurgeOptions & MoveOutOptions;

/**
 * Purges a deleted place: removes its devices from it, then deletes its rooms and its history. The
 * history of a room is deleted before the room, by which it is found. A room that was deleted
 * earlier has its own purge job.
 */
export async function purgePlace(options: PurgeLocationOptions, place: string): Promise<void> {
  const pk = placePartition(place);
  for await (const item of found(options, { pk, sk: { beginsWith: 'DEVICE#' } })) {
    const { device, since } = parsePlacement(item);
    await moveOut(options, { device, period: { place, since }, to: undefined });
    await purgeOne(options, placementKey(place, device), equal('since', since));
  }
  for await (const item of found(options, { pk, sk: { beginsWith: 'ROOM#' } })) {
    if (tombstoneOf(item) !== undefined) continue;
    const { id, registeredAt } = parseRoom(item);
    await purgeMemberships(options, place, id);
    await purgeOne(options, roomKey(place, id), equal('registeredAt', registeredAt));
  }
  await purgeMemberships(options, place);
}

/** Purges a deleted room: its devices stay at the place, in no room; then its history is deleted. */
export async function purgeRoom(
  options: PurgeLocationOptions,
  { place, room }: { place: string; room: string },
): Promise<void> {
  for await (const item of found(options, { pk: membersPartition(place, room) })) {
    const membership = parseMembership(item);
    if (!isCurrent(membership)) continue;
    const { device, since } = membership;
    // If the place has been deleted too, its own purge job removes the device.
    await moveOut(options, { device, period: { place, room, since }, to: { place } });
  }
  await purgeMemberships(options, place, room);
}

function purgeMemberships(options: PurgeOptions, place: string, room?: string): Promise<void> {
  const pk = membersPartition(place, room);
  return purgeFound(options, { pk, consistent: true }, ({ item }) => item === 'membership');
}

/** Idempotent: another replica may have deleted it. */
async function purgeOne(
  { table, onDeleted }: PurgeOptions,
  key: Key,
  onlyIf: Condition,
): Promise<void> {
  try {
    await table.delete(key, { onlyIf });
    onDeleted(1);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

import { membersPartition, placementKey, placePartition, roomKey } from '@engawa/keys';
import { parseMembership, parsePlacement, parseRoom, tombstoneOf } from '@engawa/model';
import { ConditionFailed, equal } from '@engawa/table';
import { eraseFound, found } from './erase-found.ts';
import { moveOut } from './move-out.ts';
import type { Key } from '@engawa/keys';
import type { Condition } from '@engawa/table';
import type { EraseOptions } from './erase-found.ts';
import type { MoveOutOptions } from './move-out.ts';

export type EraseSceneOptions = EraseOptions & MoveOutOptions;

export interface RoomAddress {
  place: string;
  room: string;
}

/**
 * Erases what belonged to a deleted place: its devices are taken away, then its rooms and its history are deleted. Of each
 * room the history first, which nobody would find without the room. A room that was deleted before has an erasure of its own.
 */
export async function erasePlace(options: EraseSceneOptions, place: string): Promise<void> {
  const pk = placePartition(place);
  for await (const item of found(options, { pk, sk: { beginsWith: 'DEVICE#' } })) {
    const { device, since } = parsePlacement(item);
    await moveOut(options, { device, stay: { place, since }, to: undefined });
    await eraseOne(options, placementKey(place, device), equal('since', since));
  }
  for await (const item of found(options, { pk, sk: { beginsWith: 'ROOM#' } })) {
    if (tombstoneOf(item) !== undefined) continue;
    const { id, registeredAt } = parseRoom(item);
    await eraseMemberships(options, place, id);
    await eraseOne(options, roomKey(place, id), equal('registeredAt', registeredAt));
  }
  await eraseMemberships(options, place);
}

/** Erases what belonged to a deleted room: its devices stay at the place, in no room; then its history is deleted. */
export async function eraseRoom(
  options: EraseSceneOptions,
  { place, room }: RoomAddress,
): Promise<void> {
  for await (const item of found(options, { pk: membersPartition(place, room) })) {
    const { device, since, until } = parseMembership(item);
    if (until !== undefined) continue;
    // Where the place has been deleted, too, its own erasure takes the device away.
    await moveOut(options, { device, stay: { place, room, since }, to: { place } });
  }
  await eraseMemberships(options, place, room);
}

function eraseMemberships(options: EraseOptions, place: string, room?: string): Promise<void> {
  const pk = membersPartition(place, room);
  return eraseFound(options, { pk, consistent: true }, ({ item }) => item === 'membership');
}

/** Another replica may have deleted it already. */
async function eraseOne(
  { table, erased }: EraseOptions,
  key: Key,
  onlyIf: Condition,
): Promise<void> {
  try {
    await table.delete(key, { onlyIf });
    erased(1);
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

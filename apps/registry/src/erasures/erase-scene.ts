import { membersPartition, placeKey, placementKey, placePartition, roomKey } from '@engawa/keys';
import { parseMembership, parsePlacement, parseRoom } from '@engawa/model';
import { ConditionFailed, less } from '@engawa/table';
import { eraseFound, membershipsUntil } from './erase-found.ts';
import { horizonOf } from './horizon.ts';
import { moveOut } from './move-out.ts';
import type { Key } from '@engawa/keys';
import type { Device, Document } from '@engawa/model';
import type { Condition, PageKey, Question } from '@engawa/table';
import type { EraseOptions } from './erase-found.ts';
import type { MoveOutOptions } from './move-out.ts';

export type EraseSceneOptions = EraseOptions & MoveOutOptions;

export interface PlaceRemains {
  place: string;
  before: number;
}

export interface RoomRemains extends PlaceRemains {
  room: string;
}

/**
 * What belongs to a place that has been deleted: its devices are taken away, then its rooms and its history go. Of each room
 * the history first, which nobody would find without the room.
 */
export async function erasePlace(
  options: EraseSceneOptions,
  { place, before }: PlaceRemains,
): Promise<void> {
  const pk = placePartition(place);
  const until = await horizonOf(options.table, { key: placeKey(place), before });
  for await (const item of found(options, { pk, sk: { beginsWith: 'DEVICE#' } })) {
    const { device, since } = parsePlacement(item);
    if (since > until) continue;
    const isThere = (device: Device) => device.place === place && (device.since ?? 0) <= until;
    await moveOut(options, { device, isThere, to: undefined });
    await eraseOne(options, placementKey(place, device), less('since', until + 1));
  }
  for await (const item of found(options, { pk, sk: { beginsWith: 'ROOM#' } })) {
    const { id, registeredAt } = parseRoom(item);
    if (registeredAt > before) continue;
    await eraseMemberships(options, { place, room: id, until });
    await eraseOne(options, roomKey(place, id), less('registeredAt', before + 1));
  }
  await eraseMemberships(options, { place, until });
}

/** What belongs to a room that has been deleted: its devices stay at the place, in no room; then its history goes. */
export async function eraseRoom(
  options: EraseSceneOptions,
  { place, room, before }: RoomRemains,
): Promise<void> {
  const until = await horizonOf(options.table, { key: roomKey(place, room), before });
  for await (const item of found(options, { pk: membersPartition(place, room) })) {
    const member = parseMembership(item);
    if (member.until !== undefined || member.since > until) continue;
    const isThere = (device: Device) =>
      device.place === place && device.room === room && (device.since ?? 0) <= until;
    // Where the place is gone, too, its own erasure takes the device away.
    await moveOut(options, { device: member.device, isThere, to: { place } });
  }
  await eraseMemberships(options, { place, room, until });
}

function eraseMemberships(
  options: EraseOptions,
  { place, room, until }: { place: string; room?: string; until: number },
): Promise<void> {
  const pk = membersPartition(place, room);
  return eraseFound(options, { pk, consistent: true }, membershipsUntil(until));
}

/** Somebody may have made another one of the same key meanwhile, which stays. */
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

async function* found(
  { table, signal }: EraseOptions,
  question: Question,
): AsyncGenerator<Document> {
  let after: PageKey | undefined;
  do {
    const page = await table.query({
      ...question,
      consistent: true,
      ...(after && { after }),
      signal,
    });
    for (const item of page.items) {
      signal.throwIfAborted();
      yield item;
    }
    after = page.next;
  } while (after !== undefined);
}

import { deviceKey } from '@engawa/keys';
import { Problem } from '@engawa/errors';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { contested, mostAttempts } from '../placements/contest.ts';
import { revisionOf } from '../revision.ts';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Move } from '../placements/move-device.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

export interface MoveOutOptions {
  table: Table;
  placements: PlacementStore;
}

export interface MoveOut {
  device: string;
  /** What it is taken out of: a later stay at a place or room of the same id began at another time. */
  stay: { place: string; room?: string; since: number };
  to: Move['to'];
}

/** Somebody else changed the device at the same time: it is read again. */
const overtaken: readonly Problem['code'][] = ['version-mismatch', 'device-not-found'];

/**
 * Moves a device out of a place or a room that is being erased, unless it is not there (any more).
 * @returns false where the place that it would stay at is not there either
 */
export async function moveOut(
  { table, placements }: MoveOutOptions,
  { device: id, stay, to }: MoveOut,
): Promise<boolean> {
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
    const device = item && parseDevice(item);
    if (device === undefined || !isStill(device, stay)) return true;
    try {
      await placements.move({ device: id, to, revision: revisionOf(device) });
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'place-not-found') return false;
      if (!overtaken.includes(error.code)) throw error;
    }
  }
  throw contested(id);
}

function isStill(device: Device, { place, room, since }: MoveOut['stay']): boolean {
  const isInRoom = room === undefined || device.room === room;
  return device.place === place && isInRoom && device.since === since;
}

import { deviceKey } from '@engawa/keys';
import { Problem } from '@engawa/errors';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { tooManyConflicts, maxAttempts } from '../problems.ts';
import { revisionOf } from '../revision.ts';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Move } from '../placements/move-device.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

export interface MoveOutOptions {
  table: Table;
  placements: PlacementStore;
}

export interface MoveOutRequest {
  device: string;
  /** The period to end. A later period at a place or room of the same id has another beginning. */
  period: { place: string; room?: string; since: number };
  to: Move['to'];
}

/** Concurrent changes of the device, after which it is read again. */
const conflicts: readonly Problem['code'][] = ['version-mismatch', 'device-not-found'];

/**
 * Moves a device out of a place or a room that is being purged, unless it has left.
 * @returns false where its new location, the place, does not exist any more
 */
export async function moveOut(
  { table, placements }: MoveOutOptions,
  { device: id, period, to }: MoveOutRequest,
): Promise<boolean> {
  for (let attempt = 1; attempt <= maxAttempts; attempt++) {
    const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
    const device = item && parseDevice(item);
    if (device === undefined || !isStill(device, period)) return true;
    try {
      await placements.move({ device: id, to, revision: revisionOf(device) });
      return true;
    } catch (error) {
      if (!(error instanceof Problem)) throw error;
      if (error.code === 'place-not-found') return false;
      if (!conflicts.includes(error.code)) throw error;
    }
  }
  throw tooManyConflicts(id);
}

function isStill(device: Device, { place, room, since }: MoveOutRequest['period']): boolean {
  const isInRoom = room === undefined || device.room === room;
  return device.place === place && isInRoom && device.since === since;
}

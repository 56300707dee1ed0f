import { deviceKey } from '@engawa/keys';
import { Problem } from '@engawa/errors';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { retryOnConflict } from '@engawa/table';
import { deviceTitle } from '../problems.ts';
import { revisionOf } from '../revision.ts';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Move } from '../placements/move-device.ts';
import type { PlacementStore } from '../placements/placement-store.ts';

export interface MoveOutOptions {
  table: Table;
  placements: PlacementStore;
  signal: AbortSignal;
}

export interface MoveOutRequest {
  device: string;
  /** The period to end. A later period at a place or room of the same id has another beginning. */
  period: { place: string; room?: string; since: number };
  to: Move['to'];
}

/** Concurrent changes of the device, after which it is read again. */
const conflicts: readonly Problem['code'][] = ['version-mismatch', 'device-not-found'];

function isConflict(error: unknown): error is Problem {
  return error instanceof Problem && conflicts.includes(error.code);
}

/**
 * Moves a device out of a place or a room that is being purged, unless it has left.
 * @returns false where its new location, the place, does not exist any more
 * @throws Problem `too-many-conflicts`: the purge job is retried
 */
export async function moveOut(
  { table, placements, signal }: MoveOutOptions,
  { device: id, period, to }: MoveOutRequest,
): Promise<boolean> {
  return retryOnConflict({ resource: deviceTitle(id), isConflict, signal }, async () => {
    const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
    const device = item && parseDevice(item);
    if (device === undefined || !isStill(device, period)) return true;
    try {
      await placements.move({ device: id, to, revision: revisionOf(device) });
      return true;
    } catch (error) {
      if (error instanceof Problem && error.code === 'place-not-found') return false;
      throw error;
    }
  });
}

function isStill(device: Device, { place, room, since }: MoveOutRequest['period']): boolean {
  const isInRoom = room === undefined || device.room === room;
  return device.place === place && isInRoom && device.since === since;
}

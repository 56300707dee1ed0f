import { Problem } from '@engawa/errors';
import { retryOnConflict } from '@engawa/table';
import { OutdatedHistory } from '../placements/allowed-stays.ts';
import { deviceNotFound, deviceTitle, deviceVersionMismatch } from '../problems.ts';
import { isRevision, revisionOf } from '../revision.ts';
import type { Places, Revision } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { CachedDevice } from './device-cache.ts';
import type { DeviceStore } from './device-store.ts';

/** Rejects a device at a place that the client may not see. @throws Problem `device-not-found` */
export function allowedDevice(device: Device, places: Places): Device {
  if (!places.allows(device.place)) throw deviceNotFound(device.id);
  return device;
}

/**
 * One GetItem for a client that is restricted to places, else no request.
 * @throws Problem `device-not-found` where the device does not exist, or is at none of the places
 */
export async function expectAllowedDevice(
  devices: Pick<DeviceStore, 'get'>,
  id: string,
  places: Places,
): Promise<void> {
  if (places.isRestricted) allowedDevice(await devices.get(id), places);
}

export interface AllowedChange {
  id: string;
  places: Places;
  /** The expected revision; by default any. */
  revision: Revision | undefined;
}

/**
 * Changes a device. For a client that is restricted to places, the change is bound to the revision of the device in
 * which it was at one of the places: after a move elsewhere, nothing is changed.
 * @param change gets the revision that it has to expect; for a restricted client also the device, which it may refuse
 * @throws Problem `device-not-found`, `version-mismatch`, `too-many-conflicts`, and those of the change
 */
export async function changeAllowedDevice<Result>(
  devices: Pick<DeviceStore, 'read'>,
  { id, places, revision }: AllowedChange,
  change: (revision: Revision | undefined, restricted?: CachedDevice) => Promise<Result>,
): Promise<Result> {
  if (!places.isRestricted) return change(revision);
  return retryChange(id, revision, async () => {
    const found = await devices.read(id);
    const device = allowedDevice(found.device, places);
    if (revision !== undefined && !isRevision(device, revision))
      throw deviceVersionMismatch(device);
    return change(revisionOf(device), found);
  });
}

/** Repeats an attempt while the device changes between its read and its write, unless the client expects a revision. */
export function retryChange<Result>(
  id: string,
  revision: Revision | undefined,
  attempt: () => Promise<Result>,
): Promise<Result> {
  const isConflict = (error: unknown): error is Error =>
    error instanceof OutdatedHistory ||
    (revision === undefined && error instanceof Problem && error.code === 'version-mismatch');
  return retryOnConflict({ resource: deviceTitle(id), isConflict }, attempt);
}

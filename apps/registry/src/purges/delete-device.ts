import { deviceKey, membershipKey, placementKey } from '@engawa/keys';
import { inheritedAttributes, readingPartitions, unlessDeleted } from '@engawa/model';
import { absent, allOf, equal, retryOnConflict } from '@engawa/table';
import { deviceNotFound, deviceTitle, deviceVersionMismatch } from '../problems.ts';
import { cachedDeviceOf } from '../devices/device-cache.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import { purgeJobWrites, newPurgeJob } from './purge-job.ts';
import type { Revision } from '@engawa/http';
import type { Device, Document } from '@engawa/model';
import type { Condition, Table, Write } from '@engawa/table';
import type { CachedDevice, DeviceCache } from '../devices/device-cache.ts';
import type { PurgeJob } from './purge-job.ts';

export interface DeleteDeviceOptions {
  table: Table;
  known: DeviceCache;
}

export interface DeviceDeletion {
  id: string;
  /** The expected revision; by default any. */
  revision?: Revision | undefined;
}

/**
 * One GetItem and one transaction, which replaces the device by a tombstone, deletes its placement
 * and its current memberships, and creates a purge job for the rest.
 * @throws Problem `device-not-found`, `version-mismatch`, `too-many-conflicts`
 */
export async function deleteDevice(
  { table, known }: DeleteDeviceOptions,
  { id, revision }: DeviceDeletion,
): Promise<PurgeJob> {
  known.forget(id);
  return retryOnConflict({ resource: deviceTitle(id) }, async () => {
    const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
    if (item === undefined) throw deviceNotFound(id);
    const current = cachedDeviceOf(item);
    const { device } = current;
    if (revision !== undefined && !isRevision(device, revision))
      throw deviceVersionMismatch(device);
    const shards = readingPartitions(device).length;
    const job = newPurgeJob({ kind: 'DEVICE', id, shards });
    await table.transact([
      ...purgeJobWrites(job, isStill(device, item), inheritedAttributes(device)),
      ...presence(current),
    ]);
    return job;
  });
}

/** Each move increments the version; new shards and a longer span do not, so they are checked separately. */
function isStill(device: Device, { shards }: Document): Condition {
  return allOf(
    hasRevision(revisionOf(device)),
    equal('span', device.span),
    shards === undefined ? absent('shards') : equal('shards', shards),
  );
}

/** The items that show the current location of the device. */
function presence({ device, arrivedAt }: CachedDevice): Write[] {
  const { id, place, room, since } = device;
  if (place === undefined) return [];
  const writes: Write[] = [{ delete: placementKey(place, id) }];
  if (room !== undefined && since !== undefined) {
    writes.push({ delete: membershipKey({ place, room, device: id, since }) });
  }
  if (arrivedAt !== undefined) {
    writes.push({ delete: membershipKey({ place, device: id, since: arrivedAt }) });
  }
  return writes;
}

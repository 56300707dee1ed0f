import { deviceKey, membershipKey, placementKey } from '@engawa/keys';
import { reachOf, unlessDeleted } from '@engawa/model';
import { absent, allOf, ConditionFailed, equal } from '@engawa/table';
import {
  contested,
  deviceNotFound,
  deviceVersionMismatch,
  mostAttempts,
} from '../placements/contest.ts';
import { knownOf } from '../devices/device-cache.ts';
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
  /** The one that it must have; without it, any. */
  revision?: Revision | undefined;
}

/**
 * One GetItem and one transaction, in which a tombstone takes the place of the device, its placement and its current
 * memberships are deleted, and what is still to be erased is noted.
 * @throws Problem `device-not-found`, `version-mismatch`
 */
export async function deleteDevice(
  { table, known }: DeleteDeviceOptions,
  { id, revision }: DeviceDeletion,
): Promise<PurgeJob> {
  known.forget(id);
  for (let attempt = 1; attempt <= mostAttempts; attempt++) {
    const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
    if (item === undefined) throw deviceNotFound(id);
    const current = knownOf(item);
    const { device } = current;
    if (revision !== undefined && !isRevision(device, revision))
      throw deviceVersionMismatch(device);
    const shards = Math.max(1, ...(device.shards ?? []).map(({ count }) => count));
    const job = newPurgeJob({ kind: 'DEVICE', id, shards });
    try {
      await table.transact([
        ...purgeJobWrites(job, isStill(device, item), reachOf(device)),
        ...presence(current),
      ]);
      return job;
    } catch (error) {
      if (!(error instanceof ConditionFailed)) throw error;
    }
  }
  throw contested(id);
}

/** Every move raises the version; that its readings are in more partitions or in longer blocks does not. */
function isStill(device: Device, { shards }: Document): Condition {
  return allOf(
    hasRevision(revisionOf(device)),
    equal('span', device.span),
    shards === undefined ? absent('shards') : equal('shards', shards),
  );
}

/** What shows the device where it is now. */
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

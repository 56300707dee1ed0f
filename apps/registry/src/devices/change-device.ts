import { deviceKey, placementKey } from '@engawa/keys';
import { annotationAttributes, nameAttributes, unlessDeleted } from '@engawa/model';
import { absent, allOf, deviceListShards, equal, present, retryOnConflict } from '@engawa/table';
import { mergeAnnotations } from '../annotations/merge-annotations.ts';
import { deviceNotFound, deviceTitle, deviceVersionMismatch } from '../problems.ts';
import { cachedDeviceOf } from './device-cache.ts';
import { hasRevision, isRevision, revisionOf } from '../revision.ts';
import type { Revision } from '@engawa/http';
import type { Device, Document } from '@engawa/model';
import type { ConditionFailed, Shards, Table, Write } from '@engawa/table';
import type { AnnotationsPatch } from '../annotations/merge-annotations.ts';
import type { CachedDevice, DeviceCache } from './device-cache.ts';

/** The properties of a device that clients set. */
export type DeviceChanges = Partial<
  Pick<Device, 'name' | 'kind' | 'status' | 'labels' | 'metadata'>
>;

export interface DeviceChange {
  id: string;
  /** The new values. */
  changes: DeviceChanges & Partial<Pick<Device, 'kindNamed'>>;
  /** Merged into the stored labels and metadata. */
  patch?: AnnotationsPatch | undefined;
  /** The expected revision; by default any. */
  revision?: Revision | undefined;
}

export interface ChangeDeviceOptions {
  table: Table;
  known: DeviceCache;
  shards: Shards;
}

/**
 * Changes properties of a device. Its placement has a copy of name and kind, so both change
 * together: one UpdateItem for a device that is placed nowhere, else one transaction. Which of the
 * two, the cache says, and the write is conditional on it: a stale entry costs one more request. A
 * patch is merged into the item, which a GetItem reads first.
 * @throws Problem `device-not-found`, `version-mismatch`, `too-many-conflicts`
 */
export async function changeDevice(
  options: ChangeDeviceOptions,
  change: DeviceChange,
): Promise<Device> {
  const { table, known } = options;
  const { id, revision } = change;
  let guess = known.get(id);
  if (revision !== undefined && guess && !isRevision(guess.device, revision)) guess = undefined;
  if (change.patch !== undefined) guess = await readDevice(table, change);
  let hasPlacement = true;
  const onConflict = ({ failed, item }: ConditionFailed) => {
    hasPlacement = failed.includes(0);
    if (hasPlacement) guess = expected(item, change);
  };
  return retryOnConflict({ resource: deviceTitle(id), onConflict }, async () => {
    const merged = withPatch(change, guess);
    const changed =
      guess?.device.place === undefined
        ? cachedDeviceOf(await table.update(deviceKey(id), updateAlone(options, merged)))
        : await writeBoth(options, merged, { ...guess, hasPlacement });
    known.note(changed);
    return changed.device;
  });
}

/** @throws Problem where the device does not exist, or has another revision */
async function readDevice(table: Table, change: DeviceChange): Promise<CachedDevice> {
  return expected(await table.get(deviceKey(change.id), { consistent: true }), change);
}

/** Replaces the patch by its result, on the condition that the device has not changed since it was read. */
function withPatch(change: DeviceChange, known: CachedDevice | undefined): DeviceChange {
  const { id, changes, patch } = change;
  if (patch === undefined || known === undefined) return change;
  const { device } = known;
  return {
    id,
    changes: { ...changes, ...mergeAnnotations(device, patch) },
    revision: revisionOf(device),
  };
}

/** For a device that is placed nowhere. */
function updateAlone(options: ChangeDeviceOptions, { id, changes, revision }: DeviceChange) {
  const deviceExists = revision === undefined ? present('version') : hasRevision(revision);
  return {
    set: attributesOf(options, id, changes),
    remove: attributesWithout(changes),
    add: { version: 1 },
    onlyIf: allOf(deviceExists, absent('place')),
    idempotent: true,
  };
}

/**
 * For a device with a placement (which it lacks only while its place is being deleted). A
 * transaction does not return the new item, so the condition includes that nothing in the response
 * has changed since it was cached.
 */
async function writeBoth(
  options: ChangeDeviceOptions,
  { id, changes }: DeviceChange,
  { device, arrivedAt, hasPlacement }: CachedDevice & { hasPlacement: boolean },
): Promise<CachedDevice> {
  const { place = '', version, lastSeenAt } = device;
  const { name, kind, kindNamed = kind === undefined ? device.kindNamed : true } = changes;
  const isAsGuessed = [
    hasRevision(revisionOf(device)),
    equal('place', place),
    equal('lastSeenAt', lastSeenAt),
  ];
  const writes: Write[] = [
    {
      update: deviceKey(id),
      set: attributesOf(options, id, changes),
      remove: attributesWithout(changes),
      add: { version: 1 },
      onlyIf: allOf(...isAsGuessed),
    },
  ];
  const copied = {
    ...(name !== undefined && { name }),
    ...(kind !== undefined && { kind }),
  };
  if (hasPlacement && Object.keys(copied).length > 0) {
    writes.push({ update: placementKey(place, id), set: copied, onlyIf: present('pk') });
  }
  await options.table.transact(writes);
  const known = { ...device, ...changes, ...(kindNamed !== undefined && { kindNamed }) };
  return { device: { ...known, version: version + 1 }, arrivedAt };
}

function attributesOf(
  { shards }: ChangeDeviceOptions,
  id: string,
  { name, kind, status, kindNamed = true, ...annotations }: DeviceChange['changes'],
): Document {
  return {
    ...(name !== undefined && nameAttributes(id, name, deviceListShards(shards))),
    // Ingestion refines the kind of a device only while no client has set it.
    ...(kind !== undefined && { kind, ...(kindNamed && { kindNamed }) }),
    ...(status !== undefined && { status }),
    ...annotationAttributes(annotations),
  };
}

/** The attributes to remove where the kind is left to ingestion again. */
function attributesWithout({ kindNamed }: DeviceChange['changes']): string[] {
  return kindNamed === false ? ['kindNamed'] : [];
}

/** @throws Problem where the change is impossible */
function expected(found: Document | undefined, { id, revision }: DeviceChange): CachedDevice {
  const item = unlessDeleted(found);
  if (item === undefined) throw deviceNotFound(id);
  const current = cachedDeviceOf(item);
  if (revision === undefined || isRevision(current.device, revision)) return current;
  throw deviceVersionMismatch(current.device);
}

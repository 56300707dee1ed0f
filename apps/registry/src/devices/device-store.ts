import { deviceKey } from '@engawa/keys';
import { neverSeen, unlessDeleted } from '@engawa/model';
import { ConditionFailed, createDevice, deviceListShards, retryOnConflict } from '@engawa/table';
import { allPlaces } from '@engawa/http';
import { Problem } from '@engawa/errors';
import { changeDevice } from './change-device.ts';
import { deviceNotFound, deviceTitle, deviceVersionMismatch } from '../problems.ts';
import { cachedDeviceOf } from './device-cache.ts';
import { defaultsOf, replacementOf } from './replacement.ts';
import { refuseWhileDeleted } from '../being-deleted.ts';
import { listNamed } from './list-named.ts';
import { seenReader } from './list-seen.ts';
import { listSilent } from './list-silent.ts';
import { isRevision, revisionOf } from '../revision.ts';
import type { Device } from '@engawa/model';
import type { ExpectedState, Revision } from '@engawa/http';
import type { DeviceList } from './list-named.ts';
import type { DeviceChanges } from './change-device.ts';
import type { CachedDevice, DeviceCache } from './device-cache.ts';
import type { NameListRequest } from '../lists/list-by-name.ts';
import type { Selection } from './device-filter.ts';
import type { SeenListRequest } from './list-by-seen.ts';
import type { SilentListRequest } from './list-silent.ts';

export interface DevicePut {
  id: string;
  /** Properties that are not given get their defaults. */
  given: DeviceChanges;
  expected: ExpectedState<Revision>;
}

export interface DeviceStoreOptions extends DeviceList {
  /** Updated with each device that is read, so that a following change takes one request. */
  known: DeviceCache;
  /** Minimum time before the id of a deleted device can be used again. */
  quiescenceMs: number;
}

/** Reads, creates and replaces devices. */
export class DeviceStore {
  readonly #options: DeviceStoreOptions;

  constructor(options: DeviceStoreOptions) {
    this.#options = options;
  }

  /** One consistent GetItem: a client that reads again after a version mismatch must see the new version. */
  async get(id: string, signal?: AbortSignal): Promise<Device> {
    return (await this.read(id, signal)).device;
  }

  /** As `get`, with the arrival of the device. */
  async read(id: string, signal?: AbortSignal): Promise<CachedDevice> {
    const options = { consistent: true, ...(signal !== undefined && { signal }) };
    const item = unlessDeleted(await this.#options.table.get(deviceKey(id), options));
    if (item === undefined) throw deviceNotFound(id);
    const known = cachedDeviceOf(item);
    this.#options.known.note(known);
    return known;
  }

  /** Sorted by collated name. */
  list({ filter = {}, places = allPlaces, ...request }: NameListRequest & Partial<Selection>) {
    return listNamed(this.#options, { ...request, filter, places });
  }

  /** Sorted by when they were last seen, to the hour. */
  listBySeen({ filter = {}, places = allPlaces, ...asked }: SeenListRequest & Partial<Selection>) {
    return seenReader(this.#options, { filter, places })(asked);
  }

  /** Devices without a message since a time, exactly. */
  listSilent({
    filter = {},
    places = allPlaces,
    ...asked
  }: SilentListRequest & Partial<Selection>) {
    const read = seenReader(this.#options, { filter, places });
    return listSilent({ table: this.#options.table, read }, asked);
  }

  /**
   * Creates a device unless it exists: one UpdateItem.
   * @returns whether it is new
   * @throws Problem `being-deleted`
   */
  async createMissing(id: string, given: DeviceChanges): Promise<boolean> {
    return (await this.#create(id, given)).created;
  }

  /**
   * Creates a device or replaces its properties: one request where it does not exist or is cached
   * with that ETag, else two.
   * @throws Problem `already-exists`, `being-deleted`, `device-not-found`, `version-mismatch`, `too-many-conflicts`
   */
  async put(asked: DevicePut): Promise<{ device: Device; created: boolean }> {
    const { id, given, expected } = asked;
    const isConflict = (error: unknown) => mayTryAgain(error, expected);
    return retryOnConflict({ resource: deviceTitle(id), isConflict }, async () => {
      let current: Device | undefined;
      if (expected === undefined || expected === 'absent') {
        const { found, created } = await this.#create(id, given);
        this.#options.known.note(found);
        if (created) return { device: found.device, created };
        if (expected === 'absent') throw alreadyExists(id);
        current = found.device;
      }
      return { device: await this.#replace(asked, current), created: false };
    });
  }

  /** Creates the device, or returns the existing one. */
  async #create(
    id: string,
    given: DeviceChanges,
  ): Promise<{ found: CachedDevice; created: boolean }> {
    const { table, shards, quiescenceMs } = this.#options;
    const device = {
      ...defaultsOf(id),
      ...given,
      ...(given.kind !== undefined && { kindNamed: true }),
      id,
      registeredAt: Date.now(),
      lastSeenAt: neverSeen,
      version: 1,
    };
    try {
      const lists = deviceListShards(shards);
      const created = await createDevice(table, device, { lists, idempotent: true });
      return { found: { device: created }, created: true };
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.item === undefined) throw error;
      refuseWhileDeleted(error.item, `device ${JSON.stringify(id)}`, quiescenceMs);
      return { found: cachedDeviceOf(error.item), created: false };
    }
  }

  async #replace({ id, given, expected }: DevicePut, found: Device | undefined): Promise<Device> {
    const current = found ?? (await this.#asExpected(id, expected));
    const changes = replacementOf(current, given);
    // The kind is reset only if the device has not changed since it was read: another client may
    // have set it.
    const isBound = typeof expected === 'object' || changes.kindNamed === false;
    const revision = isBound ? revisionOf(current) : undefined;
    return changeDevice(this.#options, { id, changes, revision });
  }

  /** The cached device where it has the expected revision; else one GetItem. */
  async #asExpected(id: string, expected: ExpectedState<Revision>): Promise<Device> {
    const known = this.#options.known.get(id)?.device;
    const isExpected = (device: Device) =>
      typeof expected === 'object' && isRevision(device, expected);
    if (known !== undefined && isExpected(known)) return known;
    const device = await this.get(id);
    if (typeof expected === 'object' && !isExpected(device)) throw deviceVersionMismatch(device);
    return device;
  }
}

/** Whether the device was deleted or changed between the two requests of one operation. */
function mayTryAgain(error: unknown, expected: ExpectedState<Revision>): error is Problem {
  if (!(error instanceof Problem)) return false;
  if (error.code === 'device-not-found') return expected === undefined;
  return error.code === 'version-mismatch' && typeof expected !== 'object';
}

export function alreadyExists(id: string): Problem {
  return new Problem('already-exists', `The device ${JSON.stringify(id)} exists already.`);
}

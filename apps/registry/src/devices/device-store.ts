import { deviceKey } from '@engawa/keys';
import { neverSeen, unlessDeleted } from '@engawa/model';
import { ConditionFailed, createDevice, deviceListShards } from '@engawa/table';
import { everywhere } from '@engawa/http';
import { Problem } from '@engawa/errors';
import { changeDevice } from './change-device.ts';
import { deviceNotFound, deviceVersionMismatch, mostAttempts } from '../placements/contest.ts';
import { knownOf } from './device-cache.ts';
import { defaultsOf, replacementOf } from './replacement.ts';
import { refuseWhileDeleted } from '../purges/being-deleted.ts';
import { listNamed } from './list-named.ts';
import { seenReader } from './list-seen.ts';
import { listSilent } from './list-silent.ts';
import { isRevision, revisionOf } from '../revision.ts';
import type { Device } from '@engawa/model';
import type { Expected, Revision } from '@engawa/http';
import type { DeviceList } from './list-named.ts';
import type { DeviceChanges } from './change-device.ts';
import type { CachedDevice, DeviceCache } from './device-cache.ts';
import type { NameQuestion } from '../lists/list-by-name.ts';
import type { Selection } from './device-filter.ts';
import type { SeenQuestion } from './list-by-seen.ts';
import type { SilentQuestion } from './list-silent.ts';

export interface DevicePut {
  id: string;
  /** What is not said has its default. */
  said: DeviceChanges;
  expected: Expected<Revision>;
}

export interface DeviceStoreOptions extends DeviceList {
  /** Told of each device that is read, so that a change behind it is one request. */
  known: DeviceCache;
  /** Milliseconds for which the id of a deleted device is refused at least. */
  settleMs: number;
}

/** The devices in the table. */
export class DeviceStore {
  readonly #options: DeviceStoreOptions;

  constructor(options: DeviceStoreOptions) {
    this.#options = options;
  }

  /** One GetItem, consistent: somebody who reads again after a version mismatch must see the new version. */
  async get(id: string, signal?: AbortSignal): Promise<Device> {
    const options = { consistent: true, ...(signal !== undefined && { signal }) };
    const item = unlessDeleted(await this.#options.table.get(deviceKey(id), options));
    if (item === undefined) throw deviceNotFound(id);
    const known = knownOf(item);
    this.#options.known.note(known);
    return known.device;
  }

  /** By collated name. */
  list({ filter = {}, places = everywhere, ...asked }: NameQuestion & Partial<Selection>) {
    return listNamed(this.#options, { ...asked, filter, places });
  }

  /** By when they were last seen, as it is kept, to the hour. */
  listBySeen({ filter = {}, places = everywhere, ...asked }: SeenQuestion & Partial<Selection>) {
    return seenReader(this.#options, { filter, places })(asked);
  }

  /** Those that were silent, exactly. */
  listSilent({ filter = {}, places = everywhere, ...asked }: SilentQuestion & Partial<Selection>) {
    const read = seenReader(this.#options, { filter, places });
    return listSilent({ table: this.#options.table, read }, asked);
  }

  /**
   * One UpdateItem.
   * @returns whether it is new; one that is there stays as it is
   * @throws Problem `being-deleted`
   */
  async createMissing(id: string, said: DeviceChanges): Promise<boolean> {
    return (await this.#create(id, said)).created;
  }

  /**
   * Registers a device or replaces what people say of it: one request where it is not there or is known with that ETag, else two.
   * @throws Problem `already-exists`, `being-deleted`, `device-not-found`, `version-mismatch`
   */
  async put(asked: DevicePut): Promise<{ device: Device; created: boolean }> {
    const { id, said, expected } = asked;
    for (let attempt = 1; ; attempt++) {
      let current: Device | undefined;
      if (expected === undefined || expected === 'absent') {
        const { found, created } = await this.#create(id, said);
        this.#options.known.note(found);
        if (created) return { device: found.device, created };
        if (expected === 'absent') throw alreadyExists(id);
        current = found.device;
      }
      try {
        return { device: await this.#replace(asked, current), created: false };
      } catch (error) {
        if (attempt === mostAttempts || !mayTryAgain(error, expected)) throw error;
      }
    }
  }

  /** Or gives what is there. */
  async #create(
    id: string,
    said: DeviceChanges,
  ): Promise<{ found: CachedDevice; created: boolean }> {
    const { table, shards, settleMs } = this.#options;
    const asked = {
      ...defaultsOf(id),
      ...said,
      ...(said.kind !== undefined && { kindNamed: true }),
      id,
      registeredAt: Date.now(),
      lastSeenAt: neverSeen,
      version: 1,
    };
    try {
      const lists = deviceListShards(shards);
      const device = await createDevice(table, asked, { lists, idempotent: true });
      return { found: { device }, created: true };
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.item === undefined) throw error;
      refuseWhileDeleted(error.item, `device ${JSON.stringify(id)}`, settleMs);
      return { found: knownOf(error.item), created: false };
    }
  }

  async #replace({ id, said, expected }: DevicePut, found: Device | undefined): Promise<Device> {
    const current = found ?? (await this.#asExpected(id, expected));
    const changes = replacementOf(current, said);
    // A kind is taken back from the device as it was read only: somebody may have said another one since.
    const isBound = typeof expected === 'object' || changes.kindNamed === false;
    const revision = isBound ? revisionOf(current) : undefined;
    return changeDevice(this.#options, { id, changes, revision });
  }

  /** As it is known, where that is the one that is expected; else one GetItem. */
  async #asExpected(id: string, expected: Expected<Revision>): Promise<Device> {
    const known = this.#options.known.get(id)?.device;
    const isExpected = (device: Device) =>
      typeof expected === 'object' && isRevision(device, expected);
    if (known !== undefined && isExpected(known)) return known;
    const device = await this.get(id);
    if (typeof expected === 'object' && !isExpected(device)) throw deviceVersionMismatch(device);
    return device;
  }
}

/** Whether a device has gone, or was changed, between two requests that were to be one. */
function mayTryAgain(error: unknown, expected: Expected<Revision>): boolean {
  const { code } = error as Problem;
  if (code === 'device-not-found') return expected === undefined;
  return code === 'version-mismatch' && typeof expected !== 'object';
}

function alreadyExists(id: string): Problem {
  return new Problem('already-exists', `There is a device ${JSON.stringify(id)} already.`);
}

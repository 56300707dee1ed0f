import { decodeTuple, deviceKey, deviceListFamily, deviceListPartition } from '@engawa/keys';
import { deviceItem, neverSeen, parseDevice, unlessDeleted } from '@engawa/model';
import { absent, ConditionFailed } from '@engawa/table';
import { Problem } from '@engawa/errors';
import { changeDevice } from './change-device.ts';
import { deviceNotFound, deviceVersionMismatch, mostAttempts } from '../placements/contest.ts';
import { knownOf } from './known-devices.ts';
import { listByName } from '../lists/list-by-name.ts';
import { refuseWhileDeleted } from '../erasures/being-deleted.ts';
import { listBySeen } from './list-by-seen.ts';
import { listShards } from '../lists/list-shards.ts';
import { listSilent } from './list-silent.ts';
import type { Device } from '@engawa/model';
import type { MergedPage, Shards, Table } from '@engawa/table';
import type { Expected, Places } from '@engawa/http';
import type { KnownDevice, KnownDevices } from './known-devices.ts';
import type { NamedRow, NameQuestion } from '../lists/list-by-name.ts';
import type { SeenQuestion, SeenRow } from './list-by-seen.ts';
import type { SilentPage, SilentQuestion } from './list-silent.ts';

/** What the list index holds of a device (docs/adr/0005-index-projections.md). */
export type ListedDevice = Pick<Device, 'id' | 'name' | 'kind' | 'status' | 'registeredAt'>;

/** What people say of a device; what they do not say is as it was. */
export type DeviceChanges = Partial<Pick<Device, 'name' | 'kind' | 'status'>>;

export interface DevicePut {
  id: string;
  changes: DeviceChanges;
  expected: Expected;
}

export interface DeviceStoreOptions {
  table: Table;
  shards: Shards;
  /** Told of each device that is read, so that a change behind it is one request. */
  known: KnownDevices;
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

  /** By collated name; one Query for each shard. */
  list(question: NameQuestion): Promise<MergedPage<NamedRow<ListedDevice>>> {
    const { table, shards } = this.#options;
    const keyAt = (gsi1sk: string) => {
      const [, id = ''] = decodeTuple(gsi1sk);
      return deviceKey(id);
    };
    const family = { shards, family: deviceListFamily, partition: deviceListPartition };
    return listByName({ table, ...family, keyAt, parse: parseDevice }, question);
  }

  /** Those of a list by name that are where the caller may look: the list does not say where they are. */
  async atPlaces<R extends NamedRow<ListedDevice>>(
    rows: readonly R[],
    places: Places,
    { budget, signal }: Pick<NameQuestion, 'budget' | 'signal'>,
  ): Promise<R[]> {
    const keys = rows.map(({ item }) => deviceKey(item.id));
    const { items, units } = await this.#options.table.getAll(keys, { signal });
    budget.charge(units);
    const there = items.filter((item) => unlessDeleted(item) !== undefined).map(parseDevice);
    const own = there.filter(({ place }) => places.allows(place));
    const ids = new Set(own.map(({ id }) => id));
    return rows.filter(({ item }) => ids.has(item.id));
  }

  /** By when they were last seen, as it is kept, to the hour; one Query for each shard. */
  listBySeen(question: SeenQuestion): Promise<MergedPage<SeenRow>> {
    return listBySeen(this.#options, question);
  }

  /** Those that were silent, exactly. */
  listSilent(question: SilentQuestion): Promise<SilentPage> {
    return listSilent(this.#options, question);
  }

  /**
   * One PutItem.
   * @returns whether it is new; one that is there stays as it is
   * @throws Problem `being-deleted`
   */
  async createMissing(id: string, changes: DeviceChanges): Promise<boolean> {
    return (await this.#create(id, changes)).created;
  }

  /**
   * Registers a device or changes what people say of it: one request where it is not there or an ETag came along, else two.
   * @throws Problem `already-exists`, `being-deleted`, `device-not-found`, `version-mismatch`
   */
  async put(asked: DevicePut): Promise<{ device: Device; created: boolean }> {
    const { id, changes, expected } = asked;
    for (let attempt = 1; ; attempt++) {
      if (expected === undefined || expected === 'absent') {
        const { found, created } = await this.#create(id, changes);
        this.#options.known.note(found);
        if (created) return { device: found.device, created };
        if (expected === 'absent') throw alreadyExists(id);
      }
      try {
        return { device: await this.#change(asked), created: false };
      } catch (error) {
        const isGone = (error as Problem).code === 'device-not-found';
        if (!isGone || expected !== undefined || attempt === mostAttempts) throw error;
      }
    }
  }

  /** Or gives what is there. */
  async #create(
    id: string,
    changes: DeviceChanges,
  ): Promise<{ found: KnownDevice; created: boolean }> {
    const { table, shards, settleMs } = this.#options;
    const device: Device = {
      name: id,
      kind: 'other',
      status: 'active',
      ...changes,
      ...(changes.kind !== undefined && { kindNamed: true }),
      id,
      registeredAt: Date.now(),
      lastSeenAt: neverSeen,
      span: 0,
      version: 1,
    };
    try {
      await table.put(deviceItem(device, listShards(shards)), {
        onlyIf: absent('pk'),
        recognise: true,
      });
      return { found: { device }, created: true };
    } catch (error) {
      if (!(error instanceof ConditionFailed) || error.item === undefined) throw error;
      refuseWhileDeleted(error.item, `device ${JSON.stringify(id)}`, settleMs);
      return { found: knownOf(error.item), created: false };
    }
  }

  async #change({ id, changes, expected }: DevicePut): Promise<Device> {
    const version = typeof expected === 'number' ? expected : undefined;
    if (Object.keys(changes).length > 0)
      return changeDevice(this.#options, { id, changes, version });
    const device = await this.get(id);
    if (version !== undefined && device.version !== version) throw deviceVersionMismatch(device);
    return device;
  }
}

function alreadyExists(id: string): Problem {
  return new Problem('already-exists', `There is a device ${JSON.stringify(id)} already.`);
}

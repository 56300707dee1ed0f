import { Problem } from '@engawa/errors';
import { deviceKey, maxStalenessMs } from '@engawa/keys';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { CorrectionStore } from '../corrections/correction-store.ts';
import { ShortLivedCache } from '../short-lived-cache.ts';
import type { RequestBudget } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { CorrectedDevice } from '../corrections/correction-store.ts';
import type { Corrections } from '../corrections/corrections.ts';
import type { CorrectionsRequest } from '../corrections/read-corrections.ts';

/**
 * Maximum age of a cached device, counted from the beginning of its read. Ingestion writes to a new
 * shard only after every reader has learned of it, so a request finds all that was stored when it
 * began. That takes a consistent read: an eventually consistent one may return an older item. A
 * stream reads the device again for each page.
 *
 * Ingestion raises the span before it writes the first longer block, so a cached span may be too
 * short for this long. Where a fetched block shows that, the request is repeated with the new span.
 * Where none does, the response lacks the older part of such a block, as if that part had arrived a
 * few seconds later.
 */
const deviceLifetimeMs = maxStalenessMs;
const maxDevices = 10_000;

/** Read units of a consistent GetItem of a device, which is below 4 KB. */
export const unitsOfDevice = 1;

export interface DeviceStoreOptions {
  table: Pick<Table, 'get' | 'query'>;
  /** Monotonic milliseconds. */
  now: () => number;
}

/** Devices and their corrections, cached for a few seconds. */
export class DeviceStore {
  readonly #table: Pick<Table, 'get' | 'query'>;
  readonly #devices: ShortLivedCache<Device>;
  readonly #corrections: CorrectionStore;

  constructor({ table, now }: DeviceStoreOptions) {
    this.#table = table;
    this.#corrections = new CorrectionStore(table);
    this.#devices = new ShortLivedCache({
      load: (id, budget) => this.#load(id, budget),
      lifetimeMs: deviceLifetimeMs,
      maxEntries: maxDevices,
      now,
    });
  }

  /** Undefined where there is no such device. A device that is being purged may have memberships and no item. */
  async find(id: string, budget: Pick<RequestBudget, 'charge'>): Promise<Device | undefined> {
    try {
      return await this.#devices.get(id, budget);
    } catch (error) {
      if (error instanceof Problem && error.code === 'device-not-found') return undefined;
      throw error;
    }
  }

  /** The next request reads the device again. */
  forget(id: string): void {
    this.#devices.forget(id);
  }

  /** The corrections of a device whose item is at hand. */
  correctionsOf(
    device: CorrectedDevice,
    request: CorrectionsRequest,
    budget: Pick<RequestBudget, 'charge'>,
  ): Promise<Corrections> {
    return this.#corrections.of(device, request, budget);
  }

  /** The corrections of a device; none where there is no such device. */
  async findCorrections(
    id: string,
    request: CorrectionsRequest,
    budget: Pick<RequestBudget, 'charge'>,
  ): Promise<Corrections> {
    return this.correctionsOf((await this.find(id, budget)) ?? { id }, request, budget);
  }

  /**
   * Not cancelled with the request, since others may wait for the same device. Rejects where there
   * is none: a failure is not cached.
   */
  async #load(id: string, budget: Pick<RequestBudget, 'charge'>): Promise<Device> {
    const device = await readDevice(this.#table, id, budget);
    if (device === undefined) throw deviceNotFound(id);
    return device;
  }
}

/**
 * The corrections of a device as its item is now, never cached: one consistent GetItem, and a Query
 * where it has any.
 */
export function uncachedCorrections(
  table: Pick<Table, 'get' | 'query'>,
): DeviceStore['findCorrections'] {
  const store = new CorrectionStore(table);
  return async (id, request, budget) =>
    store.of((await readDevice(table, id, budget)) ?? { id }, request, budget);
}

async function readDevice(
  table: Pick<Table, 'get'>,
  id: string,
  budget: Pick<RequestBudget, 'charge'>,
): Promise<Device | undefined> {
  budget.charge(unitsOfDevice);
  const item = unlessDeleted(await table.get(deviceKey(id), { consistent: true }));
  return item && parseDevice(item);
}

export function deviceNotFound(id: string): Problem {
  return new Problem('device-not-found', `There is no device ${JSON.stringify(id)}.`);
}

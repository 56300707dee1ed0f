import { Problem } from '@engawa/errors';
import { deviceKey, maxStalenessMs } from '@engawa/keys';
import { parseDevice, unlessDeleted } from '@engawa/model';
import { CorrectionStore } from '../corrections/correction-store.ts';
import { HotLatest } from '../latest/hot-latest.ts';
import { latestOfDevice } from '../latest/latest-of-device.ts';
import { fromStartOn, readPage, staysOf } from './read-page.ts';
import { ShortLivedCache } from '../short-lived-cache.ts';
import type { Budget } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Corrections } from '../corrections/corrections.ts';
import type { HotLatestOptions } from '../latest/hot-latest.ts';
import type { Latest, LatestQuestion } from '../latest/latest-of-device.ts';
import type { DevicePeriod } from '../membership-store.ts';
import type { PageQuestion, ReadingPage } from './merge-blocks.ts';

export interface ReadingsQuestion extends PageQuestion {
  /** Whose readings, and from when to when; those of one device do not overlap. */
  periods: readonly DevicePeriod[];
  budget: Budget;
  signal: AbortSignal;
}

/**
 * How long a device's span and shards are believed, from when reading them began: a question finds whatever had been stored
 * when it began, for nobody writes by an epoch that a reader may not know yet. That needs a consistent read, or the
 * item may be older than the reading of it. A stream asks again for each page.
 *
 * Ingestion raises the span before it writes the first block that is longer, so for this long a span may be too short.
 * Where a fetched block shows that, the question is asked again with the right one. Where none does, the answer lacks the
 * older part of such a block, as if that had arrived a few seconds later.
 */
const deviceLifetimeMs = maxStalenessMs;
const devicesKept = 10_000;

/** Read units of a consistent GetItem of a device, which is below 4 KB. */
export const unitsOfDevice = 1;

export interface ReadingStoreOptions {
  table: Table;
  shareOfHot: HotLatestOptions['shareOfHot'];
  /** Units a second that one partition key takes. */
  readLimit: number;
  /** Monotonic milliseconds. */
  now: () => number;
}

/** The devices' readings in the table. */
export class ReadingStore {
  readonly #table: Table;
  readonly #latest: HotLatest;
  readonly #devices: ShortLivedCache<Device>;
  readonly #corrections: CorrectionStore;

  constructor({ table, shareOfHot, readLimit, now }: ReadingStoreOptions) {
    this.#table = table;
    this.#corrections = new CorrectionStore(table);
    const corrections = this.#corrections;
    this.#latest = new HotLatest({
      load: (question) => latestOfDevice({ ...question, table, corrections, now: Date.now() }),
      shareOfHot,
      readLimit,
      now,
    });
    this.#devices = new ShortLivedCache({
      load: (id, budget) => this.#load(id, budget),
      lifetimeMs: deviceLifetimeMs,
      capacity: devicesKept,
      now,
    });
  }

  /**
   * A device as it was a few seconds ago or is now.
   * @throws Problem `device-not-found`
   */
  device(id: string, budget: Pick<Budget, 'charge'>): Promise<Device> {
    return this.#devices.get(id, budget);
  }

  /**
   * A device and its newest readings: one Query, but for devices with several shards. Undefined where there is none. Of a
   * hot device as they were a second ago or are now.
   */
  latest(question: LatestQuestion): Promise<Latest | undefined> {
    return this.#latest.get(question);
  }

  /** A page of the readings in a range: a Query for each device and shard where the guess at how many blocks was right. */
  async readings({ periods, budget, signal, ...question }: ReadingsQuestion): Promise<ReadingPage> {
    const stays = await staysOf(fromStartOn(question, periods), async (id) => {
      const device = await this.find(id, budget);
      return device && { device, corrections: await this.#corrections.of(device, budget) };
    });
    return readPage({
      table: this.#table,
      question,
      stays,
      onLongerBlock: (id) => this.#devices.forget(id),
      budget,
      signal,
      now: Date.now(),
    });
  }

  /** As `device`, but undefined where there is none: one that is being erased may still have memberships, but no item any more. */
  async find(id: string, budget: Pick<Budget, 'charge'>): Promise<Device | undefined> {
    try {
      return await this.device(id, budget);
    } catch (error) {
      if (error instanceof Problem && error.code === 'device-not-found') return undefined;
      throw error;
    }
  }

  /** Of a device as it was a few seconds ago or is now; none where there is none. */
  async corrections(id: string, budget: Pick<Budget, 'charge'>): Promise<Corrections> {
    return this.#corrections.of((await this.find(id, budget)) ?? { id }, budget);
  }

  /** Without the signal of the request: others may be waiting for the same device. Rejects where there is none, so that it is not kept. */
  async #load(id: string, budget: Pick<Budget, 'charge'>): Promise<Device> {
    budget.charge(unitsOfDevice);
    const item = unlessDeleted(await this.#table.get(deviceKey(id), { consistent: true }));
    if (item === undefined) throw deviceNotFound(id);
    return parseDevice(item);
  }
}

export function deviceNotFound(id: string): Problem {
  return new Problem('device-not-found', `There is no device ${JSON.stringify(id)}.`);
}

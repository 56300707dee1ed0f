import { invariant } from '@engawa/errors';
import { blockRange, earliestInstant, latestInstant } from '@engawa/keys';
import { blockReadings, contentOf, isBlockItem, sortedUnique } from '@engawa/model';
import { Semaphore } from '../concurrency/semaphore.ts';
import { Rejection } from '../refusals/rejection.ts';
import type { FieldValue, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { DeviceRegister, KnownDevice } from '../devices/device-register.ts';
import type { CheckedReadings } from './check-readings.ts';
import type { DeviceReadings } from './device-readings.ts';

export interface ReplayedReadingsOptions {
  table: Pick<Table, 'query'>;
  devices: Pick<DeviceRegister, 'find' | 'admit'>;
  log: Logger;
  /** Aborts when closing begins. */
  signal: AbortSignal;
}

/** Newest blocks of each partition key that are compared: one Query, at most 3 read units with blocks of 1 KB. */
const comparedBlocks = 20;
/** A new subscription replays the retained messages of all devices at once. */
const maxQueries = 16;

const allBlocks = blockRange(earliestInstant, latestInstant);

/**
 * Recognises readings that are stored already, in messages that a broker replays to a new session
 * (docs/adr/0100). A retained message does not tell when it was published, so without a time of its own it would be
 * another reading in each new session.
 */
export class ReplayedReadings {
  readonly #options: ReplayedReadingsOptions;
  readonly #queries = new Semaphore(maxQueries);

  constructor(options: ReplayedReadingsOptions) {
    this.#options = options;
  }

  /**
   * Leaves out replayed readings without a time of their own whose values are the newest that the device has stored.
   * All are kept where the table cannot be read: another reading is better than a lost one.
   * @throws the error of the table when closing begins: the message is delivered again
   */
  withoutStored(
    received: DeviceReadings,
    checking: CheckedReadings | Promise<CheckedReadings>,
  ): CheckedReadings | Promise<CheckedReadings> {
    if (received.source?.retained !== true) return checking;
    return Promise.resolve(checking).then((checked) => this.#compared(received, checked));
  }

  async #compared(
    { device: id, drafts }: DeviceReadings,
    checked: CheckedReadings,
  ): Promise<CheckedReadings> {
    const { readings, indexes } = checked;
    const isTimeless = (place: number) => {
      const index = invariant(indexes[place], 'a checked reading has its index');
      return invariant(drafts[index], 'a checked reading has its draft').time === undefined;
    };
    const first = readings.find((_, place) => isTimeless(place));
    const device = first && (await this.#deviceOf(id, first));
    if (device === undefined) return checked;
    const newest = await this.#newestValues(device);
    const isKept = (place: number) =>
      !isTimeless(place) ||
      !isStored(invariant(readings[place], 'each index has its reading').fields, newest);
    return {
      ...checked,
      readings: readings.filter((_, place) => isKept(place)),
      indexes: indexes.filter((_, place) => isKept(place)),
    };
  }

  /** A device that this process does not know may have values: it was not listed yet at the start. */
  async #deviceOf(id: string, first: Reading): Promise<KnownDevice | undefined> {
    const { devices } = this.#options;
    try {
      return devices.find(id) ?? (await devices.admit(id, first));
    } catch (error) {
      if (error instanceof Rejection) return undefined; // there is no such device
      throw error;
    }
  }

  /** The newest stored value of each field. */
  async #newestValues({ partitions }: KnownDevice): Promise<ReadonlyMap<string, FieldValue>> {
    const { log, signal } = this.#options;
    try {
      const found = await Promise.all(partitions.map((pk) => this.#newestReadings(pk)));
      return new Map(sortedUnique(found.flat()).flatMap(({ fields }) => Object.entries(fields)));
    } catch (error) {
      if (signal.aborted) throw error;
      log.warn({ err: error }, 'a retained message is stored without a comparison');
      return new Map();
    }
  }

  async #newestReadings(pk: string): Promise<Reading[]> {
    const { table, signal } = this.#options;
    const release = await this.#queries.acquire(1, signal);
    try {
      const newest = { sk: allBlocks, descending: true, limit: comparedBlocks };
      const { items } = await table.query({ pk, ...newest, signal });
      const found: readonly object[] = items;
      return found.filter(isBlockItem).flatMap((block) => blockReadings(block));
    } finally {
      release();
    }
  }
}

function isStored(fields: Reading['fields'], newest: ReadonlyMap<string, FieldValue>): boolean {
  return Object.entries(fields).every(([name, value]) => {
    const stored = newest.get(name);
    return stored !== undefined && equal(stored, value);
  });
}

/** Also of exact numbers. */
function equal(one: FieldValue, other: FieldValue): boolean {
  return one === other || textOf(one) === textOf(other);
}

function textOf(value: FieldValue): string {
  return contentOf({ time: 0, fields: { value } });
}

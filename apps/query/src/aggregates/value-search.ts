import { readingPartitions, Summary } from '@engawa/model';
import { expiredBefore, expiredBeforeBlocks } from './retention.ts';
import type { RequestBudget } from '@engawa/http';
import type { Device, Reading } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { DeviceStore } from '../devices/device-store.ts';
import type { Position, ReadingPage } from '../readings/merge-blocks.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { TimedState } from './states/state-timeline.ts';

export interface ValueSearchOptions {
  table: Pick<Table, 'query'>;
  readings: Pick<ReadingStore, 'page'>;
  devices: Pick<DeviceStore, 'find'>;
  /** Epoch milliseconds. */
  now: () => number;
}

export interface ValueSearchRequest {
  device: string;
  /** Epoch milliseconds: the last values before this are searched. */
  before: number;
  /** Epoch milliseconds: no reading before this counts. */
  since: number;
  /** The fields to search. */
  names: readonly string[];
  budget: Pick<RequestBudget, 'charge'>;
  signal: AbortSignal;
}

export interface FoundValues {
  /** The fields that were found, and others of the same readings. */
  summary: Summary;
  /** The names whose last value may be in a reading that was not read. */
  unread: readonly string[];
  /** Epoch milliseconds: readings before this may have expired; -Infinity without expiry. */
  expiredUntil: number;
}

/** Last values of any kind. */
export interface FoundStates {
  /** By field. */
  values: Map<string, TimedState>;
  /** The names whose last value may be in a reading that was not read. */
  unread: readonly string[];
  /** Minimum retention of the blocks that were read, in milliseconds; undefined without blocks. */
  retention: number | undefined;
}

interface SearchedReadings {
  /** In descending order. */
  readings: Reading[];
  unread: readonly string[];
  retentions: number[];
  device: Device | undefined;
}

/** Whether the last value of a field is known, where all readings after a position were read. */
type FoundTest = (name: string, next: Position) => boolean;

/** The first page has the last values of most devices, and takes one Query. */
const firstPage = 10;
const nextPages = 2;

/**
 * Read units per shard after which a search ends: a field that was never reported before would be searched in all
 * readings.
 */
const maxUnits = 4;

/** Finds the last values of a device before a time, however old they are, without reading what lies between. */
export class ValueSearch {
  readonly #options: ValueSearchOptions;

  constructor(options: ValueSearchOptions) {
    this.#options = options;
  }

  /** Numbers. One Query per shard if the newest readings have all fields, otherwise more. Eventually consistent. */
  async find(request: ValueSearchRequest): Promise<FoundValues> {
    const found = await this.#search(request, (readings) => {
      const { fields } = summaryOf(readings);
      // Whether all readings of the moment of its last value were read.
      return (name, next) => (fields.get(name)?.last.time ?? -Infinity) > next.time;
    });
    const { device, readings, unread, retentions } = found;
    const lost = await this.#expiredBefore(device, request, retentions);
    return { summary: summaryOf(readings), unread, expiredUntil: Math.min(request.before, lost) };
  }

  /** As `find`, values of any kind. */
  async findStates(request: ValueSearchRequest): Promise<FoundStates> {
    const { names } = request;
    const { readings, unread, retentions } = await this.#search(request, (soFar) => {
      const values = lastStates(soFar, names);
      return (name) => values.has(name);
    });
    const retention = retentions.length === 0 ? undefined : Math.min(...retentions);
    return { values: lastStates(readings, names), unread, retention };
  }

  /** The time of the newest reading before a time, in epoch milliseconds; undefined if none. One Query per shard. */
  async newest({
    device,
    before,
    since,
    budget,
    signal,
  }: Omit<ValueSearchRequest, 'names'>): Promise<number | undefined> {
    const range = { from: since, to: before };
    const periods = [{ device, ...range }];
    const page = { ...range, periods, order: 'desc' as const, limit: 1, isCounted: true };
    const own = new SearchBudget(budget, maxUnits);
    const { readings } = await this.#options.readings.page({ ...page, budget: own, signal });
    return readings[0]?.time;
  }

  async #search(
    request: ValueSearchRequest,
    foundIn: (readings: readonly Reading[]) => FoundTest,
  ): Promise<SearchedReadings> {
    const readings: Reading[] = [];
    const retentions: number[] = [];
    const device = await this.#options.devices.find(request.device, request.budget);
    const shards = device === undefined ? 1 : readingPartitions(device, request.before).length;
    const budget = new SearchBudget(request.budget, maxUnits * shards);
    let start: Position | undefined;
    let unread = request.names;
    for (;;) {
      const page = await this.#page(request, { start, unread, budget });
      readings.push(...page.readings);
      if (page.retention !== undefined) retentions.push(page.retention);
      const { next } = page;
      const isFound = foundIn(readings);
      unread = next === undefined ? [] : unread.filter((name) => !isFound(name, next));
      if (unread.length === 0 || budget.isSpent) return { readings, unread, retentions, device };
      start = next;
    }
  }

  #page(
    { device, before, since, signal }: ValueSearchRequest,
    search: { start: Position | undefined; unread: readonly string[]; budget: SearchBudget },
  ): Promise<ReadingPage> {
    const { start, unread, budget } = search;
    const range = { from: since, to: before };
    const rest = start && { start, limit: nextPages, fields: new Set(unread) };
    const page = { ...range, order: 'desc' as const, limit: firstPage, ...rest };
    return this.#options.readings.page({
      ...page,
      periods: [{ device, ...range }],
      isCounted: true,
      budget,
      signal,
    });
  }

  /** Nothing of a device has expired that was registered within the retention. */
  async #expiredBefore(
    device: Device | undefined,
    { since, before, budget, signal }: ValueSearchRequest,
    retentions: readonly number[],
  ): Promise<number> {
    const { table, now } = this.#options;
    const ranges = [{ from: since, to: before }];
    const request = { table, device, ranges, retentions, now: now(), budget, signal };
    const lost =
      retentions.length > 0 ? expiredBefore(request) : await expiredBeforeBlocks(request);
    return lost > Math.max(since, device?.registeredAt ?? since) ? lost : -Infinity;
  }
}

/** Ends a search by its own units, which the page is charged with. The result does not depend on the page's budget. */
class SearchBudget {
  /** Its units bound the readings. */
  readonly maxValues = Infinity;
  readonly #page: Pick<RequestBudget, 'charge'>;
  #left: number;

  constructor(page: Pick<RequestBudget, 'charge'>, units: number) {
    this.#page = page;
    this.#left = units;
  }

  get isSpent(): boolean {
    return this.#left <= 0;
  }

  charge(units: number): void {
    this.#left -= units;
    this.#page.charge(units);
  }
}

/** @param readings in descending order; the last moment may lack readings */
function summaryOf(readings: readonly Reading[]): Summary {
  const summary = new Summary();
  for (const [, moment] of Map.groupBy(readings.toReversed(), ({ time }) => time)) {
    summary.addMoment(moment);
  }
  return summary;
}

/** @param readings in descending order, so that the first value of a field is its last one */
function lastStates(readings: readonly Reading[], names: readonly string[]) {
  const values = new Map<string, TimedState>();
  for (const { time, fields } of readings) {
    for (const name of names) {
      if (!values.has(name) && Object.hasOwn(fields, name)) {
        values.set(name, { time, value: fields[name] ?? null });
      }
    }
  }
  return values;
}

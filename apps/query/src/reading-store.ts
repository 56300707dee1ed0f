import { Problem } from '@engawa/errors';
import {
  blockRange,
  deviceKey,
  devicePartition,
  earliestInstant,
  latestInstant,
} from '@engawa/keys';
import { isBlockItem, parseDevice } from '@engawa/model';
import { DeviceCache } from './device-cache.ts';
import { blocksOf, hasAdvanced, mergeBlocks } from './merge-blocks.ts';
import { newestReadings } from './newest-readings.ts';
import type { SortKeyRange } from '@engawa/keys';
import type { BlockItem, Device, Reading } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { RangeQuestion, ReadingPage } from './merge-blocks.ts';

export interface Latest {
  device: Device;
  /** Newest first. */
  readings: Reading[];
}

export type ReadingsQuestion = Omit<RangeQuestion, 'span' | 'now'> & { device: string };

/** Queries for one answer at most, 1 MB or 128 read units each; what is still missing is on the next page. */
const mostQueries = 8;

/** Blocks asked for in one Query at most; of a kilobyte each, they fill the megabyte that it can give. */
const mostBlocks = 1000;

/** Blocks asked for behind those that were duplicates or expired, of which there are seldom few. */
const moreBlocks = 100;

/** Readings in a block, for the first guess at how many blocks to ask a device for that fills its blocks. */
const expectedReadings = 16;

/** One Query asks for at most so many times the blocks that are there already, however few readings those had. */
const steepestGrowth = 8;

/**
 * How long a device's span is believed. Ingestion raises it before it writes the first block that is longer, so for
 * this long a span may be too short. Where a fetched block shows that, the question is asked again with the right one.
 * Where none does, the answer lacks the older part of such a block, as if that had arrived a few seconds later.
 */
const deviceLifetimeMs = 5000;
const devicesKept = 10_000;

/** The devices' readings in the table. */
export class ReadingStore {
  readonly #table: Table;
  readonly #devices: DeviceCache;

  constructor(table: Table) {
    this.#table = table;
    this.#devices = new DeviceCache({
      load: (id) => this.#device(id),
      lifetimeMs: deviceLifetimeMs,
      capacity: devicesKept,
      now: () => performance.now(),
    });
  }

  /**
   * One Query: read backwards, a device's items are the device and then its newest blocks, each with one reading or
   * more. Another one only where duplicates or expired blocks leave fewer than were asked for.
   * @throws Problem `device-not-found`
   */
  async latest(id: string, limit: number, signal: AbortSignal): Promise<Latest> {
    const sk = { from: allBlocks.from };
    const question = { pk: devicePartition(id), sk, descending: true, limit: limit + 1, signal };
    const now = Date.now();
    let page = await this.#table.query(question);
    const [first, ...others] = page.items;
    if (first === undefined || isBlockItem(first)) throw notFound(id);
    const blocks = blocksAmong(others);
    for (let queries = 1; ; queries++) {
      const complete = page.next === undefined;
      const readings = newestReadings({ blocks, complete, limit, now });
      if (readings.length === limit || complete || queries === mostQueries) {
        return { device: parseDevice(first), readings };
      }
      const more = { limit: Math.max(limit, moreBlocks), ...(page.next && { after: page.next }) };
      page = await this.#table.query({ ...question, ...more });
      blocks.push(...blocksAmong(page.items));
    }
  }

  /**
   * A page of the readings in a range: one Query where the guess at how many blocks it takes was right.
   * @throws Problem `device-not-found`
   */
  async readings(asked: ReadingsQuestion, signal: AbortSignal): Promise<ReadingPage> {
    const { span } = await this.#devices.get(asked.device);
    return this.#page({ ...asked, span: span * 1000, now: Date.now() }, signal);
  }

  async #page(
    question: RangeQuestion & { device: string },
    signal: AbortSignal,
  ): Promise<ReadingPage> {
    const { device, order, limit, span } = question;
    const blocks: BlockItem[] = [];
    let page: ReadingPage = { readings: [] };
    let after: PageKey | undefined;
    for (let queries = 1; ; queries++) {
      const answer = await this.#table.query({
        pk: devicePartition(device),
        sk: sortKeys(question),
        descending: order === 'desc',
        limit: blocksToAsk(question, blocks.length, page.readings.length),
        ...(after && { after }),
        signal,
      });
      const fetched = blocksAmong(answer.items);
      const longest = Math.max(0, ...fetched.map(({ offsets }) => offsets[0] ?? 0));
      if (longest > span) {
        this.#devices.forget(device);
        return this.#page({ ...question, span: longest }, signal);
      }
      blocks.push(...fetched);
      after = answer.next;
      page = mergeBlocks(question, blocks, after === undefined);
      // A page that has not advanced would be asked for again and again, so it has the Queries that it takes: at most
      // those of the blocks of one span.
      const enough = page.readings.length === limit || queries >= mostQueries;
      if (after === undefined || (enough && hasAdvanced(question, page))) return page;
    }
  }

  /** Of nobody's signal: others may be waiting for the same device. */
  async #device(id: string): Promise<Device> {
    const item = await this.#table.get(deviceKey(id));
    if (item === undefined) throw notFound(id);
    return parseDevice(item);
  }
}

const allBlocks = blockRange(earliestInstant, latestInstant);

function blocksAmong(items: readonly object[]): BlockItem[] {
  return items.filter(isBlockItem);
}

function sortKeys(question: RangeQuestion): SortKeyRange {
  const { from, to } = blocksOf(question);
  return blockRange(from, Math.min(to, latestInstant));
}

/** How many blocks the missing readings should take, judged by those that are there. */
function blocksToAsk({ limit, span }: RangeQuestion, blocks: number, readings: number): number {
  // One for the reading that the page before ended with, and one to be certain of the last one of this page.
  const margin = 2;
  if (blocks === 0) return Math.min(mostBlocks, margin + firstGuess(limit, span));
  const likely = margin + Math.ceil(((limit - readings) * blocks) / Math.max(1, readings));
  return Math.min(mostBlocks, likely, steepestGrowth * blocks);
}

/** Without a span there is one reading in each block; with one, those beside the range have to be looked at too. */
function firstGuess(limit: number, span: number): number {
  return span === 0 ? limit : 2 + Math.ceil(limit / expectedReadings);
}

function notFound(id: string): Problem {
  return new Problem('device-not-found', `There is no device ${JSON.stringify(id)}.`);
}

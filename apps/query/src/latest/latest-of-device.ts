import { invariant } from '@engawa/errors';
import { blockRange, devicePartition, earliestInstant, latestInstant } from '@engawa/keys';
import {
  blockReadings,
  isBlockItem,
  newestOf,
  parseDevice,
  readingPartitions,
  unlessDeleted,
} from '@engawa/model';
import { isExpired } from '../blocks/is-expired.ts';
import { blocksAmong } from '../blocks/reading-blocks.ts';
import { latestByReceipt } from './latest-by-receipt.ts';
import { newestReadings } from './newest-readings.ts';
import type { RequestBudget } from '@engawa/http';
import type { Device, ProjectedBlock, Reading } from '@engawa/model';
import type { ItemPage, PageKey, QueryRequest, Table } from '@engawa/table';
import type { CorrectionStore } from '../corrections/correction-store.ts';
import type { CorrectionsRequest } from '../corrections/read-corrections.ts';
import type { LatestByReceiptOptions } from './latest-by-receipt.ts';

export interface Latest {
  device: Device;
  /** Newest first. */
  readings: Reading[];
  /** Whether there may be older readings, which were not read because the budget was spent. */
  isIncomplete: boolean;
}

/** The budget of a read. */
export type UnitBudget = Pick<RequestBudget, 'charge' | 'isSpent' | 'maxValues'>;

export interface LatestRequest {
  id: string;
  limit: number;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface LatestOptions extends Omit<LatestRequest, 'budget'> {
  budget: UnitBudget;
  table: Pick<Table, 'query'>;
  correctionsOf: CorrectionStore['of'];
  /** Epoch milliseconds. */
  now: number;
}

/** Blocks per further Query, after duplicates or expired blocks, which rarely come alone. */
const moreBlocks = 100;

/** Corrections of the first read of a device with many; if there are too few readings, each read has more. */
const fewCorrections = 100;
const growthFactor = 4;

/** One block more than readings: it shows whether there are further readings of the last one's moment. */
const blocksBehind = 1;

/** The fetched blocks of one partition key, newest first. */
interface FetchedShard {
  pk: string;
  blocks: ProjectedBlock[];
  /** Absent once all blocks are fetched. */
  after?: PageKey | undefined;
}

type SortKeyRange = NonNullable<QueryRequest['sk']>;

/** The device follows its newest block. */
const allBlocks: SortKeyRange = { from: blockRange(earliestInstant, latestInstant).from };

/**
 * The newest readings of a device. Undefined where there is no such device; without readings where
 * it is pending (docs/adr/0042).
 *
 * One Query: in descending order, the items of a device are the device and then its newest blocks,
 * each with one or more readings. Further Queries only for further shards, and where duplicates or
 * expired blocks leave too few readings, or readings are ahead of their receipt.
 *
 * An eventually consistent read of the device item, which names the shards, suffices: writers use a
 * new shard only `activationDelayMs` after it is in the item. So an older state of the table lacks
 * no block that was stored by then, and readings that were stored before the request are in shards
 * that the item names.
 */
export async function latestOfDevice(options: LatestOptions): Promise<Latest | undefined> {
  const { limit, budget, now, correctionsOf } = options;
  const own = { pk: devicePartition(options.id), blocks: [] };
  const page = await fetch(options, own, 1 + limit + blocksBehind);
  const first = unlessDeleted(page.items[0]);
  if (first === undefined || isBlockItem(first)) return undefined;
  const device = parseDevice(first);
  if (device.status === 'pending') return { device, readings: [], isIncomplete: false };
  const shards = readingPartitions(device).map((pk): FetchedShard => ({ pk, blocks: [] }));
  take(shards.slice(0, 1), [page]);
  await fetchMore(options, shards.slice(1), limit + blocksBehind);
  let wanted = { needed: latestInstant, enough: Math.max(limit, fewCorrections) };
  for (;;) {
    const { blocks, complete } = merged(shards);
    const asked = correctionsOfLatest(shards, complete, wanted);
    const { shown: overlay, known } = await correctionsOf(device, asked, budget);
    const knownFrom = known.from <= asked.from ? -Infinity : known.from;
    const readings = newestReadings({ blocks, complete, limit, overlay, knownFrom, now });
    const isEnough = readings.length === limit || (complete && knownFrom === -Infinity);
    // So many values are more than a response has.
    if (isEnough || budget.isSpent || valuesOf(shards, now) >= budget.maxValues) {
      const pageOf = pagesOf(options, shards, device);
      const latest = await latestByReceipt({ device, readings, limit, pageOf, budget, now });
      return { device, readings: latest, isIncomplete: !isEnough };
    }
    const horizon = horizonOf(shards);
    if (knownFrom > horizon) {
      wanted = { needed: knownFrom - 1, enough: wanted.enough * growthFactor };
      continue;
    }
    const behind = shards.filter((shard) => endOf(shard) === horizon);
    await fetchMore(options, behind, Math.max(limit, moreBlocks));
  }
}

/** Those from the oldest fetched reading on; of all times where there are no further blocks. */
function correctionsOfLatest(
  shards: readonly FetchedShard[],
  complete: boolean,
  { needed, enough }: Pick<CorrectionsRequest, 'needed' | 'enough'>,
): CorrectionsRequest {
  const from = complete ? -Infinity : oldestIn(shards.flatMap(({ blocks }) => blocks));
  return { from, to: Infinity, order: 'desc', needed: Math.max(from, needed), enough };
}

/** The time of the oldest reading of these blocks. */
function oldestIn(blocks: readonly ProjectedBlock[]): number {
  const oldest = blocks.map((block) => newestOf(block) - (block.offsets[0] ?? 0));
  return oldest.reduce((least, time) => Math.min(least, time), latestInstant);
}

/** Readings of blocks that end in a range: a Query of each shard. */
function pagesOf(
  options: LatestOptions,
  shards: readonly FetchedShard[],
  device: Device,
): LatestByReceiptOptions['pageOf'] {
  return async ({ limit, ...range }) => {
    const fetched = shards.map(({ pk }): FetchedShard => ({ pk, blocks: [] }));
    await fetchMore(options, fetched, limit, blockRange(range.from, range.to));
    const from = Math.min(range.from, oldestIn(fetched.flatMap(({ blocks }) => blocks)));
    const touching = { from, to: range.to, order: 'desc', needed: from, enough: limit } as const;
    const { shown: overlay } = await options.correctionsOf(device, touching, options.budget);
    const readings = fetched
      .flatMap(({ blocks }) => blocks)
      .filter((block) => !isExpired(block, options.now))
      .flatMap((block) => blockReadings(block))
      .flatMap((reading) => overlay.apply(reading) ?? []);
    const time = horizonOf(fetched);
    const next = time === -Infinity ? {} : { next: { time } };
    return { readings: [...readings, ...overlay.added(range)], ...next };
  };
}

async function fetchMore(
  options: LatestOptions,
  shards: readonly FetchedShard[],
  blocks: number,
  sk: SortKeyRange = allBlocks,
): Promise<void> {
  take(shards, await Promise.all(shards.map((shard) => fetch(options, shard, blocks, sk))));
}

async function fetch(
  { table, budget, signal }: LatestOptions,
  { pk, after }: FetchedShard,
  limit: number,
  sk: SortKeyRange = allBlocks,
): Promise<ItemPage> {
  const page = await table.query({
    pk,
    sk,
    descending: true,
    limit,
    ...(after && { after }),
    signal,
  });
  budget.charge(page.units);
  return page;
}

function take(shards: readonly FetchedShard[], pages: readonly ItemPage[]): void {
  for (const [index, shard] of shards.entries()) {
    const page = invariant(pages[index], 'each shard has its page');
    shard.blocks.push(...blocksAmong(page.items));
    shard.after = page.next;
  }
}

/** Blocks that are not fetched end at or before this time. */
function endOf({ blocks, after }: FetchedShard): number {
  const last = blocks.at(-1);
  if (after === undefined) return -Infinity;
  return last === undefined ? Infinity : newestOf(last);
}

/** At most so many values are in the blocks that have not expired. */
function valuesOf(shards: readonly FetchedShard[], now: number): number {
  const blocks = shards.flatMap((shard) => shard.blocks).filter((block) => !isExpired(block, now));
  return blocks.reduce(
    (sum, { offsets, fields }) => sum + offsets.length * Object.keys(fields).length,
    0,
  );
}

function horizonOf(shards: readonly FetchedShard[]): number {
  return Math.max(...shards.map(endOf));
}

/** The blocks of all shards that no unfetched block can precede. */
function merged(shards: readonly FetchedShard[]): { blocks: ProjectedBlock[]; complete: boolean } {
  const complete = shards.every(({ after }) => after === undefined);
  const [only, ...others] = shards;
  if (only !== undefined && others.length === 0) return { blocks: only.blocks, complete };
  const horizon = horizonOf(shards);
  const ends = shards
    .flatMap(({ blocks }) => blocks.map((block) => ({ block, newest: newestOf(block) })))
    .filter(({ newest }) => newest >= horizon)
    .sort((left, right) => right.newest - left.newest);
  return { blocks: ends.map(({ block }) => block), complete };
}

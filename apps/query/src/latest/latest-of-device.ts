import {
  blockRange,
  devicePartition,
  earliestInstant,
  latestInstant,
  shardsToRead,
} from '@engawa/keys';
import { isBlockItem, newestOf, parseDevice, unlessDeleted } from '@engawa/model';
import { blocksAmong } from '../readings/blocks-among.ts';
import { newestReadings } from './newest-readings.ts';
import type { Budget } from '@engawa/http';
import type { BlockItem, Device, Reading } from '@engawa/model';
import type { ItemPage, PageKey, Table } from '@engawa/table';
import type { CorrectionStore } from '../corrections/correction-store.ts';

export interface Latest {
  device: Device;
  /** Newest first. */
  readings: Reading[];
  /** Whether there may be older ones, which were not read because the budget was spent. */
  isIncomplete: boolean;
}

export interface LatestQuestion {
  id: string;
  limit: number;
  budget: Budget;
  signal: AbortSignal;
}

export interface LatestOptions extends Omit<LatestQuestion, 'budget'> {
  budget: Pick<Budget, 'charge' | 'isSpent'>;
  table: Pick<Table, 'query'>;
  corrections: Pick<CorrectionStore, 'of'>;
  /** Epoch milliseconds. */
  now: number;
}

/** Blocks asked for behind those that were duplicates or expired, of which there are seldom few. */
const moreBlocks = 100;

/** Blocks asked for beside one for each reading: it shows that the last of the readings is older than none of its moment. */
const blocksBehind = 1;

/** The newest blocks under one partition key, newest first, as far as they have been fetched. */
interface Shard {
  number: number;
  blocks: BlockItem[];
  /** Absent once there are no others. */
  after?: PageKey | undefined;
}

const { from } = blockRange(earliestInstant, latestInstant);

/**
 * The device item that names the shards comes with an eventually consistent Query, as its blocks do, and that is enough:
 * nobody writes by an epoch before it has been in the table for `activationDelayMs`, so an answer that shows the table as it was some
 * time ago lacks no block that had been there by then. Nor does it matter how long the answer takes: what had been stored when it
 * was asked for was stored by epochs that the item has.
 *
 * One Query: read backwards, a device's items are the device and then its newest blocks, each with one reading or
 * more. Others only where the device has further shards, and where duplicates or expired blocks leave fewer than were
 * asked for. Undefined where there is no such device; without readings where it is not approved yet (docs/adr/0042).
 */
export async function latestOfDevice(options: LatestOptions): Promise<Latest | undefined> {
  const { limit, budget, now, corrections } = options;
  const page = await fetch(options, { number: 0, blocks: [] }, 1 + limit + blocksBehind);
  const first = unlessDeleted(page.items[0]);
  if (first === undefined || isBlockItem(first)) return undefined;
  const device = parseDevice(first);
  if (device.status === 'pending') return { device, readings: [], isIncomplete: false };
  const { shown: overlay } = await corrections.of(device, budget);
  const shards = Array.from(
    { length: shardsToRead(device.shards ?? [], latestInstant) },
    (_, number): Shard => ({ number, blocks: [] }),
  );
  take(shards.slice(0, 1), [page]);
  await fetchMore(options, shards.slice(1), limit + blocksBehind);
  for (;;) {
    const { blocks, complete } = merged(shards);
    const readings = newestReadings({ blocks, complete, limit, overlay, now });
    const isEnough = readings.length === limit || complete;
    if (isEnough || budget.isSpent) return { device, readings, isIncomplete: !isEnough };
    const horizon = horizonOf(shards);
    const behind = shards.filter((shard) => endOf(shard) === horizon);
    await fetchMore(options, behind, Math.max(limit, moreBlocks));
  }
}

async function fetchMore(
  options: LatestOptions,
  shards: readonly Shard[],
  blocks: number,
): Promise<void> {
  take(shards, await Promise.all(shards.map((shard) => fetch(options, shard, blocks))));
}

async function fetch(
  { table, id, budget, signal }: LatestOptions,
  { number, after }: Shard,
  limit: number,
): Promise<ItemPage> {
  const page = await table.query({
    pk: devicePartition(id, number),
    sk: { from },
    descending: true,
    limit,
    ...(after && { after }),
    signal,
  });
  budget.charge(page.units);
  return page;
}

function take(shards: readonly Shard[], pages: readonly ItemPage[]): void {
  for (const [index, shard] of shards.entries()) {
    const page = pages[index];
    shard.blocks.push(...blocksAmong(page?.items ?? []));
    shard.after = page?.next;
  }
}

/** Blocks that were not fetched end with or before this moment. */
function endOf({ blocks, after }: Shard): number {
  const last = blocks.at(-1);
  if (after === undefined) return -Infinity;
  return last === undefined ? Infinity : newestOf(last);
}

function horizonOf(shards: readonly Shard[]): number {
  return Math.max(...shards.map(endOf));
}

/** Of all shards the blocks that no other can come before. */
function merged(shards: readonly Shard[]): { blocks: BlockItem[]; complete: boolean } {
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

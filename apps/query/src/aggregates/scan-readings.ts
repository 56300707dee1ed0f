import { blockRange, latestInstant } from '@engawa/keys';
import {
  blockProjection,
  blockReadings,
  newestOf,
  readingPartitions,
  sortedUnique,
} from '@engawa/model';
import { blocksAmong } from '../blocks/reading-blocks.ts';
import { isExpired } from '../blocks/is-expired.ts';
import { retentionOf } from '../blocks/retention-of.ts';
import type { Device, ProjectedBlock, Reading } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { RequestBudget } from '@engawa/http';
import type { TimeRange } from '../time-range.ts';

export interface ScanOptions extends TimeRange {
  table: Pick<Table, 'query'>;
  /** The current item: with an older span, a part of a long block would be missed. */
  device: Device;
  /** Epoch milliseconds. */
  now: number;
  budget: Pick<RequestBudget, 'charge'>;
  signal: AbortSignal;
  /** By default true: rollups are made of the readings. */
  isConsistent?: boolean;
  /**
   * Values that are unpacked at a time, 4,000 by default: some 200 bytes each in memory, of 2 to 5 in a block. A Query
   * has up to 300,000 in a page.
   */
  valuesPerChunk?: number;
}

export interface ReadingChunk {
  /** In order of time, without duplicates, and after those of the chunk before. */
  readings: readonly Reading[];
  /** Retention of the device's readings in milliseconds: Infinity without expiry, undefined where no block shows it. */
  retention: number | undefined;
}

/** A shard of the device, and how far it has been read. */
interface ScannedShard {
  pk: string;
  /** Blocks of the last page that are not unpacked yet. */
  packed: ProjectedBlock[];
  /** Absent before the first page and after the last one. */
  after?: PageKey | undefined;
  /** Whether all pages are read. */
  isRead: boolean;
  /** Epoch milliseconds: all readings of this shard before this have been unpacked. */
  horizon: number;
}

/** All readings of a device in a range, in chunks in order of time, without duplicates; in full pages of a Query. */
export async function* scanReadings(options: ScanOptions): AsyncGenerator<ReadingChunk> {
  const { device, from, to, budget, valuesPerChunk = 4000 } = options;
  const end = to + device.span * 1000;
  const shards = readingPartitions(device, end).map((pk): ScannedShard => ({
    pk,
    packed: [],
    isRead: false,
    horizon: -Infinity,
  }));
  let waiting: Reading[] = [];
  let retention: number | undefined;
  while (shards.some(({ horizon }) => horizon < Infinity)) {
    // The shard that is furthest behind is read next.
    const slowest = shards.reduce((a, b) => (b.horizon < a.horizon ? b : a));
    if (slowest.packed.length === 0) budget.charge(await readPage(slowest, options, end));
    const blocks = slowest.packed.splice(0, blocksOfChunk(slowest.packed, valuesPerChunk));
    for (const block of blocks) {
      retention = Math.min(retention ?? Infinity, retentionOf(block));
      if (!isExpired(block, options.now)) waiting.push(...blockReadings(block));
    }
    slowest.horizon = horizonOf(slowest, blocks.at(-1), device);
    const horizon = Math.min(...shards.map((shard) => shard.horizon));
    const certain = waiting.filter(({ time }) => time >= from && time < to && time < horizon);
    waiting = waiting.filter(({ time }) => time >= horizon);
    yield { readings: sortedUnique(certain), retention };
  }
}

/** @returns read units */
async function readPage(
  shard: ScannedShard,
  { table, from, signal, isConsistent = true }: ScanOptions,
  end: number,
): Promise<number> {
  const { items, next, units } = await table.query({
    pk: shard.pk,
    sk: blockRange(from, Math.min(end, latestInstant)),
    fields: blockProjection,
    consistent: isConsistent,
    signal,
    ...(shard.after && { after: shard.after }),
  });
  shard.packed = blocksAmong(items);
  shard.after = next;
  shard.isRead = next === undefined;
  return units;
}

/** The number of blocks that have the values of a chunk together. */
function blocksOfChunk(blocks: readonly ProjectedBlock[], valuesPerChunk: number): number {
  let values = 0;
  const end = blocks.findIndex(({ offsets, fields }) => {
    values += offsets.length * Object.keys(fields).length;
    return values >= valuesPerChunk;
  });
  return end === -1 ? blocks.length : end + 1;
}

/** Blocks are in order of their newest readings, and none is longer than the span of the device. */
function horizonOf(
  { packed, isRead, horizon }: ScannedShard,
  last: ProjectedBlock | undefined,
  { span }: Device,
): number {
  if (isRead && packed.length === 0) return Infinity;
  return last === undefined ? horizon : newestOf(last) - span * 1000;
}

import { blockRange, devicePartition, latestInstant, shardsToRead } from '@engawa/keys';
import { blockProjection, blockReadings, newestOf, sortedUnique } from '@engawa/model';
import { blocksAmong } from '../blocks/reading-blocks.ts';
import { isExpired } from '../blocks/is-expired.ts';
import { retentionOf } from '../blocks/retention-of.ts';
import type { Device, Reading } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { RequestBudget } from '@engawa/http';
import type { TimeRange } from '../time-range.ts';

export interface ScanOptions extends TimeRange {
  table: Pick<Table, 'query'>;
  /** The current item: with an older span, a part of a long block would be missed. */
  device: Device;
  /** Epoch milliseconds. */
  now: number;
  budget: RequestBudget;
  signal: AbortSignal;
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
  /** Absent before the first page. */
  after?: PageKey | undefined;
  /** Epoch milliseconds: all readings of this shard before this have been read. */
  horizon: number;
}

/**
 * All readings of a device in a range, in chunks in order of time, without duplicates. Consistent,
 * in full pages of a Query: the rollups that are made of them are stored.
 */
export async function* scanReadings(options: ScanOptions): AsyncGenerator<ReadingChunk> {
  const { device, from, to, budget } = options;
  const end = to + device.span * 1000;
  const shards = Array.from(
    { length: shardsToRead(device.shards ?? [], end) },
    (_, shard): ScannedShard => {
      return { pk: devicePartition(device.id, shard), horizon: -Infinity };
    },
  );
  let waiting: Reading[] = [];
  let retention: number | undefined;
  while (shards.some(({ horizon }) => horizon < Infinity)) {
    // The shard that is furthest behind is read next.
    const slowest = shards.reduce((a, b) => (b.horizon < a.horizon ? b : a));
    const { blocks, units } = await nextPage(slowest, options, end);
    budget.charge(units);
    for (const block of blocks) {
      retention = Math.min(retention ?? Infinity, retentionOf(block));
      if (!isExpired(block, options.now)) waiting.push(...blockReadings(block));
    }
    const horizon = Math.min(...shards.map((shard) => shard.horizon));
    const certain = waiting.filter(({ time }) => time >= from && time < to && time < horizon);
    waiting = waiting.filter(({ time }) => time >= horizon);
    yield { readings: sortedUnique(certain), retention };
  }
}

async function nextPage(
  shard: ScannedShard,
  { table, from, device, signal }: ScanOptions,
  end: number,
) {
  const { items, next, units } = await table.query({
    pk: shard.pk,
    sk: blockRange(from, Math.min(end, latestInstant)),
    fields: blockProjection,
    consistent: true,
    signal,
    ...(shard.after && { after: shard.after }),
  });
  const blocks = blocksAmong(items);
  const last = blocks.at(-1);
  shard.after = next;
  if (next === undefined) shard.horizon = Infinity;
  else if (last !== undefined) shard.horizon = newestOf(last) - device.span * 1000;
  return { blocks, units };
}

import { Budget } from '@engawa/http';
import {
  blockRange,
  devicePartition,
  earliestInstant,
  latestInstant,
  shardsToRead,
} from '@engawa/keys';
import { bucketStart, isBlockItem, newestOf, rollupGraceMs } from '@engawa/model';
import { oneDay } from '../aggregates/pieces.ts';
import { Progress } from '../aggregates/progress.ts';
import type { BlockItem, Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { DeviceSummaries } from '../aggregates/device-summaries.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';

export interface RollUpOptions {
  table: Table;
  summaries: DeviceSummaries;
  /** Milliseconds: what expires within them is due. */
  ahead: number;
  /** Epoch milliseconds. */
  now: number;
  signal: AbortSignal;
  log: Logger;
}

/** Days that are worked on at a time, so that memory stays flat whatever has piled up. */
const daysAtOnce = 7;

/**
 * Makes the rollups of all hours and days of a device that lose their readings soon: a Query to see whether there are any,
 * another to see which are missing, and those that read what is missing.
 * @returns the milliseconds of the range that was due; 0 where nothing was
 */
export async function rollUpDevice(device: Device, options: RollUpOptions): Promise<number> {
  const { summaries, signal, log } = options;
  const due = await dueRange(device, options);
  if (due === undefined) return 0;
  for (let from = due.from; from < due.to; from += daysAtOnce * oneDay) {
    const to = Math.min(due.to, from + daysAtOnce * oneDay);
    const edges = [from, to];
    const budget = new Budget({ deadlineMs: Infinity, units: Infinity });
    const progress = new Progress(false);
    await summaries.of({
      device: device.id,
      edges,
      atLeastUntil: to,
      budget,
      progress,
      signal,
      log,
    });
  }
  return due.to - due.from;
}

/** Whole days, from that of the oldest reading to the last one that must not wait for the next run. */
async function dueRange(device: Device, options: RollUpOptions): Promise<TimeRange | undefined> {
  const { ahead, now } = options;
  const oldest = await oldestBlocks(device, options);
  const expiring = oldest.filter(({ ttl }) => ttl !== undefined && ttl * 1000 < now + ahead);
  if (expiring.length === 0) return undefined;
  const retention = Math.max(...expiring.map((block) => (block.ttl ?? 0) * 1000 - newestOf(block)));
  const first = Math.min(...expiring.map((block) => newestOf(block) - (block.offsets[0] ?? 0)));
  const to = bucketStart(Math.min(now - rollupGraceMs, now + ahead - retention), 'P1D');
  const from = bucketStart(first, 'P1D');
  return from < to ? { from, to } : undefined;
}

/**
 * Of each shard, also those for what is still to come: a device's clock may be ahead of this one. The shards are those of an
 * index, which may be behind; what is in one that is missing here is not the oldest, and due at the next run.
 */
async function oldestBlocks(
  device: Device,
  { table, signal }: RollUpOptions,
): Promise<BlockItem[]> {
  const shards = shardsToRead(device.shards ?? [], latestInstant);
  const pages = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      table.query({
        pk: devicePartition(device.id, shard),
        sk: blockRange(earliestInstant, latestInstant),
        limit: 1,
        signal,
      }),
    ),
  );
  return pages.flatMap(({ items }) => (items as object[]).filter(isBlockItem));
}

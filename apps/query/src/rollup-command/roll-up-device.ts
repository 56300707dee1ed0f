import { invariant } from '@engawa/errors';
import { RequestBudget } from '@engawa/http';
import { blockRange, earliestInstant, latestInstant } from '@engawa/keys';
import {
  bucketStart,
  isBlockItem,
  newestOf,
  readingPartitions,
  rollupGraceMs,
} from '@engawa/model';
import { oneDay } from '../aggregates/summary-ranges.ts';
import { PageProgress } from '../aggregates/page-progress.ts';
import type { BlockItem, Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { DeviceSummaries } from '../aggregates/device-summaries.ts';
import type { TimeRange } from '../time-range.ts';

export interface RollUpOptions {
  table: Table;
  summaries: DeviceSummaries;
  /** Readings that expire within this time are due, in milliseconds. */
  ahead: number;
  /** Epoch milliseconds. */
  now: number;
  signal: AbortSignal;
  log: Logger;
}

export interface RolledUp {
  /** Length of the range that was due, in milliseconds; 0 where nothing was due. */
  rangeMs: number;
  /** Rollups that could not be stored. */
  failed: number;
}

/** Days that are rolled up together, which bounds memory. */
const maxConcurrentDays = 7;

/**
 * Makes the rollups of all hours and days of a device whose readings expire soon: one Query to find
 * them, one to find missing rollups, and those that read the readings.
 */
export async function rollUpDevice(device: Device, options: RollUpOptions): Promise<RolledUp> {
  const { summaries, signal, log } = options;
  const due = await dueRange(device, options);
  if (due === undefined) return { rangeMs: 0, failed: 0 };
  let failed = 0;
  for (let from = due.from; from < due.to; from += maxConcurrentDays * oneDay) {
    const to = Math.min(due.to, from + maxConcurrentDays * oneDay);
    const edges = [from, to];
    const budget = new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity });
    const progress = new PageProgress(false);
    await summaries.of({
      device: device.id,
      edges,
      atLeastUntil: to,
      budget,
      progress,
      signal,
      log,
    });
    failed += progress.failed;
  }
  return { rangeMs: due.to - due.from, failed };
}

/** Whole days, from that of the oldest reading to the last one that expires before the next run. */
async function dueRange(device: Device, options: RollUpOptions): Promise<TimeRange | undefined> {
  const { ahead, now } = options;
  const oldest = await oldestBlocks(device, options);
  const expiring = oldest.filter(({ ttl }) => ttl !== undefined && ttl * 1000 < now + ahead);
  if (expiring.length === 0) return undefined;
  const retention = Math.max(
    ...expiring.map(
      (block) => invariant(block.ttl, 'an expiring block has a ttl') * 1000 - newestOf(block),
    ),
  );
  const first = Math.min(...expiring.map((block) => newestOf(block) - (block.offsets[0] ?? 0)));
  const to = bucketStart(Math.min(now - rollupGraceMs, now + ahead - retention), 'P1D');
  const from = bucketStart(first, 'P1D');
  return from < to ? { from, to } : undefined;
}

/**
 * The oldest block of each shard, including future shards: a device's clock may be ahead of this
 * one. An index may lag and lack a new shard; its blocks are not the oldest, and due at the next
 * run.
 */
async function oldestBlocks(
  device: Device,
  { table, signal }: RollUpOptions,
): Promise<BlockItem[]> {
  const sk = blockRange(earliestInstant, latestInstant);
  const pages = await Promise.all(
    readingPartitions(device).map((pk) => table.query({ pk, sk, limit: 1, signal })),
  );
  return pages.flatMap(({ items }) => (items as object[]).filter(isBlockItem));
}

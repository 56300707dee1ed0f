import { blockRange, earliestInstant, latestInstant } from '@engawa/keys';
import { isBlockItem, readingPartitions } from '@engawa/model';
import { oneDay } from './summary-ranges.ts';
import { retentionOf } from '../blocks/retention-of.ts';
import type { RequestBudget } from '@engawa/http';
import type { BlockItem, Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';

export interface RetentionRequest {
  table: Pick<Table, 'query'>;
  device: Device | undefined;
  /** The ranges that were read, in order of time. */
  ranges: readonly TimeRange[];
  /** Retention of the blocks found there, in milliseconds; Infinity without expiry. */
  retentions: readonly number[];
  /** Epoch milliseconds. */
  now: number;
  budget: Pick<RequestBudget, 'charge'>;
  signal: AbortSignal;
}

/** Minimum of ingestion's `RETENTION_DAYS`. */
const minRetentionMs = oneDay;

/**
 * The time (epoch milliseconds) before which readings may have expired, by the blocks that were
 * read: -Infinity where none has expired, Infinity where there were no blocks.
 */
export function expiredBefore({ retentions, now }: Pick<RetentionRequest, 'retentions' | 'now'>) {
  if (retentions.length === 0) return Infinity;
  return now - Math.min(...retentions) + 1; // a bucket that begins at the moment of expiry has lost a reading
}

/**
 * The same where the range has no block, by the device's newest block: one Query per shard. Of a
 * device without blocks, all readings before it was last seen have expired.
 */
export async function expiredBeforeBlocks(request: RetentionRequest): Promise<number> {
  const { device, ranges, now } = request;
  const [first] = ranges;
  if (device === undefined || first === undefined) return -Infinity;
  if (first.from > now - minRetentionMs) return -Infinity;
  const newest = await newestBlocks(device, request);
  if (newest.length === 0) return device.lastSeenAt + 1; // including the reading at that time
  return expiredBefore({ now, retentions: newest.map(retentionOf) });
}

async function newestBlocks(
  device: Device,
  { table, budget, signal }: RetentionRequest,
): Promise<BlockItem[]> {
  const sk = blockRange(earliestInstant, latestInstant);
  const pages = await Promise.all(
    readingPartitions(device).map((pk) =>
      table.query({ pk, sk, descending: true, limit: 1, signal }),
    ),
  );
  for (const { units } of pages) budget.charge(units);
  return pages.flatMap(({ items }) => (items as object[]).filter(isBlockItem));
}

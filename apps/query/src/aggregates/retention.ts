import {
  blockRange,
  devicePartition,
  earliestInstant,
  latestInstant,
  shardsToRead,
} from '@engawa/keys';
import { isBlockItem } from '@engawa/model';
import { oneDay } from './pieces.ts';
import { retentionOf } from './scan-readings.ts';
import type { Budget } from '@engawa/http';
import type { BlockItem, Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../readings/merge-blocks.ts';

export interface RetentionQuestion {
  table: Pick<Table, 'query'>;
  device: Device | undefined;
  /** In order of time: what was read. */
  pieces: readonly TimeRange[];
  /** Milliseconds that the blocks which were found there are kept; Infinity without expiry. */
  retentions: readonly number[];
  /** Epoch milliseconds. */
  now: number;
  budget: Budget;
  signal: AbortSignal;
}

/** Readings are kept for a day or more (ingestion's `RETENTION_DAYS`). */
const shortestRetentionMs = oneDay;

/**
 * The moment (epoch milliseconds) before which readings may have expired, as the blocks that were read tell: -Infinity where
 * none has, Infinity where there were no blocks.
 */
export function expiredBefore({ retentions, now }: Pick<RetentionQuestion, 'retentions' | 'now'>) {
  if (retentions.length === 0) return Infinity;
  return now - Math.min(...retentions) + 1; // what begins at the moment of expiry has lost a reading
}

/**
 * The same where no block was found: the newest one that the device has tells, by one Query for each shard. Of a device that has
 * none but was heard of, all that was before it was last seen has expired.
 */
export async function expiredBeforeBlocks(question: RetentionQuestion): Promise<number> {
  const { device, pieces, now } = question;
  const [first] = pieces;
  if (device === undefined || first === undefined) return -Infinity;
  if (first.from > now - shortestRetentionMs) return -Infinity;
  const newest = await newestBlocks(device, question);
  if (newest.length === 0) return device.lastSeenAt + 1; // that reading, too
  return expiredBefore({ now, retentions: newest.map(retentionOf) });
}

async function newestBlocks(
  device: Device,
  { table, budget, signal }: RetentionQuestion,
): Promise<BlockItem[]> {
  const shards = shardsToRead(device.shards ?? [], latestInstant);
  const pages = await Promise.all(
    Array.from({ length: shards }, (_, shard) =>
      table.query({
        pk: devicePartition(device.id, shard),
        sk: blockRange(earliestInstant, latestInstant),
        descending: true,
        limit: 1,
        signal,
      }),
    ),
  );
  for (const { units } of pages) budget.charge(units);
  return pages.flatMap(({ items }) => (items as object[]).filter(isBlockItem));
}

import { blockRange, earliestInstant, latestInstant } from '@engawa/keys';
import {
  keyOf,
  readingPartitions,
  seenIntervalMs,
  sentAtOf,
  tolerableAheadMs,
} from '@engawa/model';
import type { RequestBudget } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { SeenRow } from './list-by-seen.ts';
import type { SeenReader } from './list-seen.ts';

export interface SilentListRequest {
  /** Devices without a message at or after this time (epoch milliseconds). */
  before: number;
  limit: number;
  /** The position after the page before, of the same request. */
  after?: string | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface SilentList {
  table: Table;
  /** Reads the candidates. */
  read: SeenReader;
}

export interface SilentPage {
  /** Longest silent first, to the hour; each with the exact time of its last message. */
  rows: SeenRow[];
  after?: string | undefined;
}

/** Concurrent lookups of last readings, between two checks of the budget. */
const maxConcurrent = 16;
const maxItemsPerStep = 100;

/**
 * Devices without a message since a time. The index has when a device was last seen to the hour.
 * That decides for times more than an hour before; for each other device one Query reads the receipt
 * of its newest reading, and one more that of the newest one with a right time, if its clock was ever ahead. Of a
 * device whose clock was set back, the newest reading is an earlier one: it is known to the hour.
 */
export async function listSilent(
  { table, read }: SilentList,
  question: SilentListRequest,
): Promise<SilentPage> {
  const { before, limit, budget } = question;
  const rows: SeenRow[] = [];
  let { after } = question;
  do {
    const step = Math.min(limit - rows.length, maxItemsPerStep);
    // A device that is not selected costs no lookup.
    const page = await read({ ...question, limit: step, after });
    for (let start = 0; start < page.rows.length; start += maxConcurrent) {
      const some = page.rows.slice(start, start + maxConcurrent);
      const seen = await Promise.all(
        some.map(async (row) => {
          return { ...row, device: await withTrueTime(table, row.device, question) };
        }),
      );
      rows.push(...seen.filter(({ device }) => device.lastSeenAt < before));
    }
    after = page.after;
  } while (after !== undefined && rows.length < limit && !budget.isSpent);
  return { rows, after };
}

async function withTrueTime(
  table: Table,
  device: Device,
  { before, budget, signal }: SilentListRequest,
): Promise<Device> {
  if (device.lastSeenAt < before - seenIntervalMs) return device;
  const rightTime = Date.now() + 2 * tolerableAheadMs;
  const ends = device.clockAhead === undefined ? [latestInstant] : [latestInstant, rightTime];
  const times = await Promise.all(
    readingPartitions(device).flatMap((pk) =>
      ends.map(async (to) => {
        const { items, units } = await table.query({
          pk,
          sk: blockRange(earliestInstant, to),
          descending: true,
          limit: 1,
          signal,
        });
        budget.charge(units);
        return items.map((item) => sentAtOf(keyOf(item)));
      }),
    ),
  );
  return { ...device, lastSeenAt: Math.max(device.lastSeenAt, ...times.flat()) };
}

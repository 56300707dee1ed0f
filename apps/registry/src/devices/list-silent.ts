import { blockRange, devicePartition, latestInstant } from '@engawa/keys';
import { keyOf, newestOf, seenIntervalMs } from '@engawa/model';
import type { Budget } from '@engawa/http';
import type { Device } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { SeenReader } from './list-seen.ts';

export interface SilentQuestion {
  /** Those that were not heard of at this time or later (epoch milliseconds). */
  before: number;
  limit: number;
  /** From the page before, of the same question. */
  after?: string | undefined;
  budget: Budget;
  signal: AbortSignal;
}

export interface SilentList {
  table: Table;
  /** The devices in question. */
  read: SeenReader;
}

export interface SilentPage {
  /** The longest silent first, to the hour; each with when it truly was last heard of. */
  devices: Device[];
  after?: string | undefined;
}

/** Devices whose last reading is looked for at the same time, and how many before the means are looked at again. */
const atOnce = 16;
const mostInStep = 100;

/**
 * Who was silent. When a device was last seen is kept to the hour, so the index says it of those for which it is earlier
 * than an hour before; of the others a Query each for their newest reading does.
 */
export async function listSilent(
  { table, read }: SilentList,
  question: SilentQuestion,
): Promise<SilentPage> {
  const { before, limit, budget } = question;
  const devices: Device[] = [];
  let { after } = question;
  do {
    const step = Math.min(limit - devices.length, mostInStep);
    // Nothing more is asked about a device that is not selected.
    const page = await read({ ...question, limit: step, after });
    for (let start = 0; start < page.rows.length; start += atOnce) {
      const some = page.rows.slice(start, start + atOnce);
      const seen = await Promise.all(
        some.map(({ device }) => withTrueTime(table, device, question)),
      );
      devices.push(...seen.filter(({ lastSeenAt }) => lastSeenAt < before));
    }
    after = page.after;
  } while (after !== undefined && devices.length < limit && !budget.isSpent);
  return { devices, after };
}

async function withTrueTime(
  table: Table,
  device: Device,
  { before, budget, signal }: SilentQuestion,
): Promise<Device> {
  if (device.lastSeenAt < before - seenIntervalMs) return device;
  const shards = Math.max(1, ...(device.shards ?? []).map(({ count }) => count));
  const times = await Promise.all(
    Array.from({ length: shards }, async (_, shard) => {
      const { items, units } = await table.query({
        pk: devicePartition(device.id, shard),
        sk: blockRange(device.lastSeenAt, latestInstant),
        descending: true,
        limit: 1,
        signal,
      });
      budget.charge(units);
      return items.map((item) => newestOf(keyOf(item)));
    }),
  );
  return { ...device, lastSeenAt: Math.max(device.lastSeenAt, ...times.flat()) };
}

import { earliestInstant, latestInstant } from '@engawa/keys';
import type { FieldValue } from '@engawa/model';
import type { DevicePeriod } from '../membership-store.ts';
import type { Order } from '../readings/track.ts';
import type { Position, ReadingPage } from '../readings/merge-blocks.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { RequestLimits } from '../visible-readings.ts';

/** The last value of a field. */
export interface LatestField {
  name: string;
  value: FieldValue;
  /** Epoch milliseconds, as all times here. */
  time: number;
}

export interface LatestFields {
  /** By name. */
  fields: LatestField[];
  /** All readings from here on were looked at: the older ones are not, where the budget ended or all names were found. */
  since: number;
}

export interface FieldsQuestion {
  /** When the device's readings count. */
  periods: readonly DevicePeriod[];
  /** How far back to look. */
  from: number;
  /** Only these, and no further back than the last of them; without it, all. */
  names?: ReadonlySet<string> | undefined;
  means: RequestLimits;
}

/** Whenever a reading may be of. */
export const ever = { from: earliestInstant, to: latestInstant };

/** Readings on the first page, which has most fields of most devices, on the others, and among the oldest. */
const firstPage = 10;
const nextPages = 1000;
const oldestReadings = 100;

/** The last value of each field, from the newest reading back. A Query, and one for each 1,000 readings more. */
export async function latestFields(
  readings: ReadingStore,
  { periods, from, names, means }: FieldsQuestion,
): Promise<LatestFields> {
  const recent = periods
    .map((period) => ({ ...period, from: Math.max(period.from, from) }))
    .filter((period) => period.from < period.to);
  const found = new Map<string, LatestField>();
  let start: Position | undefined;
  let limit = firstPage;
  for (;;) {
    const asked = { from, start, order: 'desc' as const, limit, missing: missingOf(names, found) };
    const page = await pageOf(readings, recent, { ...asked, means });
    for (const { time, fields } of page.readings) {
      for (const [name, value] of Object.entries(fields)) {
        if (!found.has(name)) found.set(name, { name, value, time });
      }
    }
    const since = page.next?.time ?? from;
    const isComplete = page.next === undefined || found.size === names?.size;
    if (isComplete || means.budget.isSpent) return { fields: byName(found), since };
    start = page.next;
    limit = nextPages;
  }
}

/** When each field was first reported, of those that the oldest readings have: one Query. */
export async function firstSeen(
  readings: ReadingStore,
  periods: readonly DevicePeriod[],
  means: RequestLimits,
): Promise<Map<string, number>> {
  const asked = { from: earliestInstant, order: 'asc' as const, limit: oldestReadings, means };
  const page = await pageOf(readings, periods, asked);
  const times = new Map<string, number>();
  for (const { time, fields } of page.readings) {
    for (const name of Object.keys(fields)) if (!times.has(name)) times.set(name, time);
  }
  return times;
}

interface PageAsked {
  from: number;
  start?: Position | undefined;
  order: Order;
  limit: number;
  missing?: ReadonlySet<string> | undefined;
  means: RequestLimits;
}

function pageOf(
  readings: ReadingStore,
  periods: readonly DevicePeriod[],
  { from, missing: fields, means: { budget, signal }, ...page }: PageAsked,
): Promise<ReadingPage> {
  return readings.readings({ periods, from, to: latestInstant, fields, ...page, budget, signal });
}

function missingOf(
  names: ReadonlySet<string> | undefined,
  found: ReadonlyMap<string, unknown>,
): ReadonlySet<string> | undefined {
  return names && new Set([...names].filter((name) => !found.has(name)));
}

function byName(found: ReadonlyMap<string, LatestField>): LatestField[] {
  return [...found.values()].sort((left, right) => (left.name < right.name ? -1 : 1));
}

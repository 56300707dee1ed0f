import { earliestInstant, latestInstant } from '@engawa/keys';
import { compareLatest } from '@engawa/model';
import { RelatedFields } from './related-fields.ts';
import { containersOf, isEmptiedAfter, withoutVanished } from './vanished-fields.ts';
import type { FieldValue } from '@engawa/model';
import type { DevicePeriod } from '../memberships/membership-store.ts';
import type { NameFilter, Order } from '../readings/shard-readings.ts';
import type { Position, ReadingPage } from '../readings/merge-blocks.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { RequestLimits } from '../visible-readings.ts';
import type { FoundField } from './vanished-fields.ts';

/** The last value of a field. */
export interface LatestField {
  name: string;
  value: FieldValue;
  /** Epoch milliseconds, as all times in this file. */
  time: number;
}

export interface LatestFields {
  /** Sorted by name. */
  fields: LatestField[];
  /**
   * All readings from this time on were read; older ones were not, where the budget was spent or
   * all fields were found.
   */
  since: number;
}

export interface FieldsRequest {
  /** The times of which the device's readings are visible. */
  periods: readonly DevicePeriod[];
  /** How far back to search. */
  from: number;
  /** The last moment to search; by default all readings from `from` on. */
  at?: number | undefined;
  /** Only these fields, searching no further than the last of them; by default all. */
  names?: ReadonlySet<string> | undefined;
  limits: RequestLimits;
}

/** The whole range of times that a reading may have. */
export const allTimes = { from: earliestInstant, to: latestInstant };

/** Page sizes in readings: the first page has most fields of most devices. */
const firstPage = 10;
const nextPages = 1000;
const oldestReadings = 100;

/**
 * The last value of each field, searched from the newest reading back. One Query, and one for each further 1,000
 * readings; for named fields, of readings with a related field. If the last value of a named field is ahead of its
 * receipt, the search goes on back to the time of the receipt.
 */
export async function latestFields(
  readings: ReadingStore,
  { periods, from, at = latestInstant, names, limits }: FieldsRequest,
): Promise<LatestFields> {
  const to = Math.min(at + 1, latestInstant);
  const recent = periods
    .map((period) => {
      return { ...period, from: Math.max(period.from, from), to: Math.min(period.to, to) };
    })
    .filter((period) => period.from < period.to);
  const found = new Map<string, FoundField>();
  let start: Position | undefined;
  let limit = firstPage;
  let open = names && [...names];
  for (;;) {
    const request = {
      from,
      to,
      start,
      order: 'desc' as const,
      limit,
      fields: open && new RelatedFields(open),
    };
    const page = await pageOf(readings, recent, { ...request, limits });
    for (const reading of page.readings) {
      for (const [name, value] of Object.entries(reading.fields)) {
        const known = found.get(name);
        if (known === undefined || compareLatest(reading, known.reading) > 0) {
          found.set(name, { name, value, reading });
        }
      }
    }
    const since = page.next?.time ?? from;
    open = open?.filter((name) => isOpen(name, found, since));
    const isComplete = page.next === undefined || open?.length === 0;
    if (isComplete || limits.budget.isSpent) return { fields: listed(found, names), since };
    start = page.next;
    limit = nextPages;
  }
}

/** The first report of each field among the oldest readings: one Query. */
export async function firstSeen(
  readings: ReadingStore,
  periods: readonly DevicePeriod[],
  limits: RequestLimits,
): Promise<Map<string, number>> {
  const request = { ...allTimes, order: 'asc' as const, limit: oldestReadings, limits };
  const page = await pageOf(readings, periods, request);
  const times = new Map<string, number>();
  for (const { time, fields } of page.readings) {
    for (const name of Object.keys(fields)) if (!times.has(name)) times.set(name, time);
  }
  return times;
}

interface PageContext {
  from: number;
  to: number;
  start?: Position | undefined;
  order: Order;
  limit: number;
  fields?: NameFilter | undefined;
  limits: RequestLimits;
}

function pageOf(
  readings: ReadingStore,
  periods: readonly DevicePeriod[],
  { limits: { budget, signal }, ...page }: PageContext,
): Promise<ReadingPage> {
  return readings.page({ periods, ...page, budget, signal });
}

/** Whether the last value of a field may be in a reading before this time. */
function isOpen(name: string, found: ReadonlyMap<string, FoundField>, readFrom: number): boolean {
  const field = found.get(name);
  if (field !== undefined) return (field.reading.receivedAt ?? Infinity) <= readFrom;
  // If a list or map with the field was empty after all unread readings, an older value is not the last one.
  return !containersOf(name).some((container) => isEmptiedAfter(found.get(container), readFrom));
}

/** Sorted by name. */
function listed(
  found: ReadonlyMap<string, FoundField>,
  names: ReadonlySet<string> | undefined,
): LatestField[] {
  return withoutVanished(found)
    .filter(({ name }) => names?.has(name) !== false)
    .map(({ name, value, reading: { time } }) => ({ name, value, time }))
    .sort((left, right) => (left.name < right.name ? -1 : 1));
}

import { bucketStart, Summary } from '@engawa/model';
import { oneDay } from './summary-ranges.ts';
import type { ExactNumber } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { AggregateSource } from './aggregate-request.ts';
import type { SummariesRequest } from './summaries-context.ts';

/** The time before a range that is read with it: it mostly has the last values. */
export const lookbackMs = oneDay;
/** How far back rollups are searched for values whose readings have expired. */
const rollupsBackMs = 32 * oneDay;
/** Each step back is four times as long as the step before. */
const growthFactor = 4;

/** The last values of a device before a time. */
export interface LastValues {
  /** By field; time in epoch milliseconds. */
  values: Map<string, { time: number; value: ExactNumber }>;
  /** Epoch milliseconds: later values than the known ones may have expired before this. */
  expiredUntil: number;
  /** Fields without a known value that may have one. */
  unknown: Set<string>;
}

export interface LastValuesRequest {
  /** The device and the limits of the page. */
  shared: Omit<SummariesRequest, 'stays' | 'atLeastUntil'>;
  /** The range whose values are known or searched in rollups; before it, readings are searched. */
  within: TimeRange;
  /** Epoch milliseconds: the beginning of the device's stay. Values before this do not count. */
  since: number;
  /** The fields to search. */
  names: ReadonlySet<string>;
}

/** The beginning of a day before a time, from a full hour on (which may have a rollup). */
export function nearStart(time: number): number {
  return bucketStart(time - lookbackMs, 'PT1H');
}

/** Empty where the range begins at the start. */
export function lastValuesOf({ fields, expiredUntil } = new Summary()): LastValues {
  const values = new Map([...fields].map(([name, { last }]) => [name, last]));
  return { values, expiredUntil, unknown: new Set() };
}

/**
 * Adds the missing last values, however old they are: without them, an increase would depend on where the page and the
 * range begin.
 * @returns false where the page stops because it has made progress: the same request then gets
 * further
 */
export async function addLastValues(
  source: AggregateSource,
  request: LastValuesRequest,
  known: LastValues,
): Promise<boolean> {
  const { shared, within, since } = request;
  if (!(await lookBack(source, request, known))) return false;
  const before = Math.max(since, within.from);
  const names = missing(request, known);
  if (names.length === 0 || before <= since) return true;
  const { device, budget, signal } = shared;
  const search = { device, before, since, names, budget, signal };
  const { summary, unread, expiredUntil } = await source.values.find(search);
  const found = [...lastValuesOf(summary).values].filter(([name]) => !unread.includes(name));
  add(known, new Map(found.filter(([, { time }]) => time >= expiredUntil)));
  for (const name of unread) known.unknown.add(name);
  if (expiredUntil === -Infinity) return true;
  // Later values may have expired, but may be in rollups.
  const earlier = { from: Math.max(since, before - rollupsBackMs), to: before };
  if (!(await lookBack(source, { ...request, within: earlier }, known))) return false;
  add(known, new Map(found), expiredUntil);
  for (const name of missing(request, known)) known.unknown.add(name);
  return true;
}

/** Searches rollups, in growing steps back. */
async function lookBack(
  { summaries }: AggregateSource,
  request: LastValuesRequest,
  known: LastValues,
): Promise<boolean> {
  const { shared, within, since } = request;
  const begin = Math.max(since, within.from);
  let step = lookbackMs;
  for (let to = within.to; to > begin && missing(request, known).length > 0;) {
    step *= growthFactor;
    const from = Math.max(begin, bucketStart(to - step, 'P1D'));
    const [summary] = await summaries.of({ ...shared, edges: [from, to], atLeastUntil: to });
    if (summary === undefined) return false;
    const { values, expiredUntil } = lastValuesOf(summary);
    add(known, values, expiredUntil);
    to = from;
  }
  return true;
}

function missing({ names }: LastValuesRequest, { values }: LastValues): string[] {
  return [...names].filter((name) => !values.has(name));
}

function add(known: LastValues, values: LastValues['values'], expiredUntil = -Infinity): void {
  for (const [name, last] of values) if (!known.values.has(name)) known.values.set(name, last);
  known.expiredUntil = Math.max(known.expiredUntil, expiredUntil);
}

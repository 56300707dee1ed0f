import { bucketStart, Summary } from '@engawa/model';
import { oneDay } from './summary-ranges.ts';
import type { CounterRules, ExactNumber, ExactSum, ResetMarks } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { DeviceSummaries } from './device-summaries.ts';
import type { SummariesRequest } from './summaries-work.ts';

/**
 * How far before the range the last value of a counter is searched. Its increase since then counts,
 * so that the days of a week add up to the week.
 */
export const lookbackMs = oneDay;
/** Each step back is four times as long as the step before. */
const growthFactor = 4;

/** The last values of a device before a time. */
export interface LastValues {
  /** By field; time in epoch milliseconds. */
  values: Map<string, { time: number; value: ExactNumber }>;
  /** Epoch milliseconds: later values than the known ones may have expired before this. */
  expiredUntil: number;
}

/** The increases of counters in a bucket. */
export interface Increases {
  /** Undefined where the field falls too often to be a counter. */
  byField: Map<string, ExactSum | undefined>;
  /** Whether readings between two values may have expired. */
  isUncertain: boolean;
}

export interface LastValuesRequest extends Omit<SummariesRequest, 'edges' | 'atLeastUntil'> {
  /** The range that is searched. */
  within: TimeRange;
  /** The fields to search. */
  names: ReadonlySet<string>;
}

/**
 * The beginning of a day before the buckets, from a full hour on (which may have a rollup). It
 * mostly has the last values, so it is read with the buckets.
 */
export function nearStart({ from, to }: TimeRange): number {
  return Math.max(from, bucketStart(to - lookbackMs, 'PT1H'));
}

/** Empty where the range begins at the start. */
export function lastValuesOf({ fields, expiredUntil } = new Summary()): LastValues {
  return { values: new Map([...fields].map(([name, { last }]) => [name, last])), expiredUntil };
}

/**
 * Finds the missing last values, in growing steps back. Without it, an increase would depend on
 * where the page begins.
 * @returns false where the page stops because it has made progress: the same request then gets
 * further
 */
export async function lookBack(
  source: DeviceSummaries,
  { within, names, ...request }: LastValuesRequest,
  known: LastValues,
): Promise<boolean> {
  const isMissing = () => [...names].some((name) => !known.values.has(name));
  let step = lookbackMs;
  for (let to = within.to; to > within.from && isMissing();) {
    step *= growthFactor;
    const from = Math.max(within.from, bucketStart(to - step, 'P1D'));
    const [summary] = await source.of({ ...request, edges: [from, to], atLeastUntil: to });
    if (summary === undefined) return false;
    const { values, expiredUntil } = lastValuesOf(summary);
    for (const [name, last] of values) if (!known.values.has(name)) known.values.set(name, last);
    known.expiredUntil = Math.max(known.expiredUntil, expiredUntil);
    to = from;
  }
  return true;
}

/** The increase of each field in each bucket, from the last value before the bucket on. */
export function increasesOf(
  summaries: readonly Summary[],
  request: {
    names: ReadonlySet<string>;
    before: LastValues;
    rules: CounterRules;
    isReset: ResetMarks;
  },
): Increases[] {
  const { names, before, rules, isReset } = request;
  const last = new Map(before.values);
  let { expiredUntil } = before;
  return summaries.map((summary) => {
    const byField = new Map<string, ExactSum | undefined>();
    let isUncertain = false;
    for (const [name, field] of summary.fields) {
      if (!names.has(name)) continue;
      const { value, time = -Infinity } = last.get(name) ?? {};
      isUncertain ||= expiredUntil > time;
      byField.set(name, field.increase(value, rules, isReset(name, time, field.first.time)));
      last.set(name, field.last);
    }
    expiredUntil = Math.max(expiredUntil, summary.expiredUntil);
    return { byField, isUncertain };
  });
}

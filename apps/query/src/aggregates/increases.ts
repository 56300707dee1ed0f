import { bucketStart, Summary } from '@engawa/model';
import { oneDay } from './pieces.ts';
import type { CounterRules, ExactNumber, ExactSum, ResetMarks } from '@engawa/model';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { DeviceSummaries, SummariesQuestion } from './device-summaries.ts';

/**
 * How far before the range the last value of a counter is looked for, so that what it rose by since then counts: the days of a
 * week then add up to the week.
 */
export const lookback = oneDay;
/** Each further step back is so many times as long as the one before. */
const growthFactor = 4;

/** The last values that a device reported before a time. */
export interface LastValues {
  /** By field, with its epoch milliseconds. */
  values: Map<string, { time: number; value: ExactNumber }>;
  /** Epoch milliseconds: before this there may have been later ones, which have expired. */
  expiredUntil: number;
}

/** By how much counters rose in a bucket. */
export interface Increases {
  /** Undefined where the field fell too often to be a counter. */
  byField: Map<string, ExactSum | undefined>;
  /** Whether readings between a value and the one before it may have expired. */
  isUncertain: boolean;
}

export interface LastValuesQuestion extends Omit<SummariesQuestion, 'edges' | 'atLeastUntil'> {
  /** What counts: not before its beginning, and before its end. */
  within: TimeRange;
  /** Fields whose last value is wanted. */
  names: ReadonlySet<string>;
}

/** What is read beside the buckets, since it mostly suffices: a day, from a whole hour on, which may have a rollup. */
export function nearStart({ from, to }: TimeRange): number {
  return Math.max(from, bucketStart(to - lookback, 'PT1H'));
}

/** None where there is no time before. */
export function lastValuesOf({ fields, expiredUntil } = new Summary()): LastValues {
  return { values: new Map([...fields].map(([name, { last }]) => [name, last])), expiredUntil };
}

/**
 * Adds those of the wanted fields that are not known, in steps further and further back. What a page of an answer rose by would
 * otherwise depend on where it begins.
 * @returns whether all were looked for; not where the page stops because it has made progress
 */
export async function lookBack(
  source: DeviceSummaries,
  { within, names, ...question }: LastValuesQuestion,
  known: LastValues,
): Promise<boolean> {
  const isMissing = () => [...names].some((name) => !known.values.has(name));
  let step = lookback;
  for (let to = within.to; to > within.from && isMissing();) {
    step *= growthFactor;
    const from = Math.max(within.from, bucketStart(to - step, 'P1D'));
    const [summary] = await source.of({ ...question, edges: [from, to], atLeastUntil: to });
    if (summary === undefined) return false;
    const { values, expiredUntil } = lastValuesOf(summary);
    for (const [name, last] of values) if (!known.values.has(name)) known.values.set(name, last);
    known.expiredUntil = Math.max(known.expiredUntil, expiredUntil);
    to = from;
  }
  return true;
}

/** By how much each field of these names rose in each bucket, from the last value that was reported before it. */
export function increasesOf(
  summaries: readonly Summary[],
  question: {
    names: ReadonlySet<string>;
    before: LastValues;
    rules: CounterRules;
    isReset: ResetMarks;
  },
): Increases[] {
  const { names, before, rules, isReset } = question;
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

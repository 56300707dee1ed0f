import { scaled } from './exact.ts';
import type { AggregatesRequest } from './requests.ts';

const hour = 3_600_000;
/** A counter that falls more often within an hour is none. */
const mostFalls = 8;

/** A value of a field, as a whole number of 10^-40. */
export interface PlainValue {
  time: number;
  value: bigint;
}

/** Whether the counter was reset after a time and at or before another. */
export type ResetBetween = (after: number, until: number) => boolean;

export interface BucketRange {
  from: number;
  to: number;
}

/**
 * By how much a counter rose within a bucket, from each value to the next one, also from the last
 * one before the bucket. Undefined where it fell too often.
 * @param values all that count, in order of time, those of a moment upwards
 */
export function increaseWithin(
  values: readonly PlainValue[],
  { from, to }: BucketRange,
  rules: Pick<AggregatesRequest, 'wrapsAt' | 'reset'> & { isReset: ResetBetween },
): bigint | undefined {
  let increase = 0n;
  const fallsOfHour = new Map<number, number>();
  for (const [index, { time, value }] of values.entries()) {
    const before = values[index - 1];
    if (before === undefined || time < from || time >= to) continue;
    if (rules.isReset(before.time, time)) continue;
    if (value >= before.value) {
      increase += value - before.value;
      continue;
    }
    increase += afterFall(before.value, value, rules);
    const inHour = Math.floor(time / hour);
    if (before.time < from || Math.floor(before.time / hour) !== inHour) continue;
    const falls = (fallsOfHour.get(inHour) ?? 0) + 1;
    fallsOfHour.set(inHour, falls);
    if (falls > mostFalls) return undefined;
  }
  return increase;
}

function afterFall(
  from: bigint,
  to: bigint,
  { wrapsAt, reset }: Pick<AggregatesRequest, 'wrapsAt' | 'reset'>,
): bigint {
  if (wrapsAt !== undefined) {
    const around = scaled(String(wrapsAt));
    const wrapped = around - from + to;
    if (wrapped >= 0n && wrapped * 10n < around) return wrapped;
  }
  return reset === 'zero' ? to : 0n;
}

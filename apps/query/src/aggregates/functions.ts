import type { ExactNumber, ExactSum, FieldSummary, HeldValues } from '@engawa/model';

/** What can be asked of a field over a stretch of time. */
export const functionNames = [
  'count',
  'sum',
  'avg',
  'min',
  'max',
  'first',
  'last',
  'increase',
  'rate',
  'timeWeightedMean',
  'p50',
  'p90',
  'p95',
  'p99',
] as const;
export type FunctionName = (typeof functionNames)[number];

/** Those that count from the last value before a bucket, however long ago that was. */
export function isOfCounter(name: FunctionName): boolean {
  return name === 'increase' || name === 'rate';
}

export function isPercentile(name: FunctionName): boolean {
  return percentiles.includes(name);
}

const percentiles: readonly FunctionName[] = ['p50', 'p90', 'p95', 'p99'];

/** Those that add up over time, of which an empty time has nothing; all others are levels, which last. */
const amounts: readonly FunctionName[] = ['count', 'sum', 'increase', 'rate'];

export function isLevel(name: FunctionName): boolean {
  return !amounts.includes(name);
}

/** What a function came to; null where it cannot be known. */
export type FunctionValue = ExactNumber | null;

/** Milliseconds of what a rate is per. */
export const rateUnitsMs = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;
export type RateUnit = keyof typeof rateUnitsMs;

/** What is known of a field in a bucket. */
export interface Known {
  field: FieldSummary;
  /** By how much counters in it rose; undefined where one of them is none. */
  increase: ExactSum | undefined;
  /** How long values in it held; undefined where that is not known. */
  held: HeldValues | undefined;
  /** Of the bucket. */
  lengthMs: number;
  rateUnit: RateUnit;
}

/** All but quotients and percentiles are exact; quotients are the nearest double, percentiles within 1 %. */
const functions: Record<FunctionName, (known: Known) => FunctionValue> = {
  count: ({ field }) => field.count,
  sum: ({ field }) => field.sum.value,
  avg: ({ field }) => field.sum.dividedBy(field.count),
  min: ({ field }) => field.min,
  max: ({ field }) => field.max,
  first: ({ field }) => field.first.value,
  last: ({ field }) => field.last.value,
  increase: ({ increase }) => increase?.value ?? null,
  rate: ({ increase, lengthMs, rateUnit }) =>
    increase?.dividedBy(lengthMs, rateUnitsMs[rateUnit]) ?? null,
  timeWeightedMean: ({ held }) => held?.area.dividedBy(held.heldMs) ?? null,
  p50: ({ field }) => field.percentile(50) ?? null,
  p90: ({ field }) => field.percentile(90) ?? null,
  p95: ({ field }) => field.percentile(95) ?? null,
  p99: ({ field }) => field.percentile(99) ?? null,
};

export function evaluate(
  names: readonly FunctionName[],
  known: Known,
): Partial<Record<FunctionName, FunctionValue>> {
  return Object.fromEntries(names.map((name) => [name, functions[name](known)]));
}

import type { ExactNumber, ExactSum, FieldSummary, HeldValues } from '@engawa/model';

/** The functions of aggregates. */
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

/** The functions of states, which are values of any kind that last until the next one. */
export const stateFunctionNames = ['duration', 'share', 'changes'] as const;
export type StateFunctionName = (typeof stateFunctionNames)[number];
type AnyFunctionName = FunctionName | StateFunctionName;

export function stateFunctionsOf(names: readonly AnyFunctionName[]): StateFunctionName[] {
  return stateFunctionNames.filter((name) => names.includes(name));
}

/** The others, in their order. */
export function numericFunctionsOf(names: readonly AnyFunctionName[]): FunctionName[] {
  return names.flatMap((name) => functionNames.find((known) => known === name) ?? []);
}

/** Whether a function counts from the last value before a bucket, however old that is. */
export function isOfCounter(name: FunctionName): boolean {
  return name === 'increase' || name === 'rate';
}

export function isPercentile(name: FunctionName): boolean {
  return percentiles.includes(name);
}

const percentiles: readonly FunctionName[] = ['p50', 'p90', 'p95', 'p99'];

/** Amounts add up over time and are 0 without readings. All other functions are levels, which last. */
const amounts: readonly FunctionName[] = ['count', 'sum', 'increase', 'rate'];

export function isLevel(name: FunctionName): boolean {
  return !amounts.includes(name);
}

/** The result of a function; null where it is unknown. */
export type FunctionValue = ExactNumber | null;

/** Milliseconds of each unit of a rate. */
export const rateUnitsMs = { second: 1000, minute: 60_000, hour: 3_600_000 } as const;
export type RateUnit = keyof typeof rateUnitsMs;

/** The inputs of the functions for one field in one bucket. */
export interface FunctionInputs {
  /** Undefined without a reading of it in the bucket: only the time-weighted mean then has a value. */
  field: FieldSummary | undefined;
  /** The increase of counters; undefined where the field is not a counter. */
  increase: ExactSum | undefined;
  /** How long values lasted; undefined where that is unknown. */
  held: HeldValues | undefined;
  /** The length of the bucket. */
  lengthMs: number;
  rateUnit: RateUnit;
}

interface ReportedInputs extends FunctionInputs {
  field: FieldSummary;
}

/** Quotients are the nearest double, percentiles are within 1 %, all others are exact. */
const functions: Record<FunctionName, (known: ReportedInputs) => FunctionValue> = {
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
  timeWeightedMean: ({ held }) => meanOf(held),
  p50: ({ field }) => field.percentile(50) ?? null,
  p90: ({ field }) => field.percentile(90) ?? null,
  p95: ({ field }) => field.percentile(95) ?? null,
  p99: ({ field }) => field.percentile(99) ?? null,
};

export function evaluate(
  names: readonly FunctionName[],
  known: FunctionInputs,
): Partial<Record<FunctionName, FunctionValue>> {
  const values: Partial<Record<FunctionName, FunctionValue>> = {};
  const { field, held } = known;
  if (field !== undefined) {
    for (const name of names) values[name] = functions[name]({ ...known, field });
  } else if (names.includes('timeWeightedMean')) values.timeWeightedMean = meanOf(held);
  return values;
}

/** Null where no value lasted, or where that is unknown. */
export function meanOf(held: HeldValues | undefined): FunctionValue {
  return held === undefined || held.heldMs === 0 ? null : held.area.dividedBy(held.heldMs);
}

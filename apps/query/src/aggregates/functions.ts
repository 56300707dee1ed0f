import type { ExactNumber, FieldSummary } from '@engawa/model';

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
] as const;
export type FunctionName = (typeof functionNames)[number];

/** What a function came to; null where it cannot be known. */
export type FunctionValue = ExactNumber | null;

/** What is known of a field in a bucket, and what a counter in it rose by. */
export interface Known {
  field: FieldSummary;
  increase: FunctionValue;
}

const functions: Record<FunctionName, (known: Known) => FunctionValue> = {
  count: ({ field }) => field.count,
  sum: ({ field }) => field.sum.value,
  // The one that is not exact: the nearest double.
  avg: ({ field }) => field.sum.dividedBy(field.count),
  min: ({ field }) => field.min,
  max: ({ field }) => field.max,
  first: ({ field }) => field.first.value,
  last: ({ field }) => field.last.value,
  increase: ({ increase }) => increase,
};

export function evaluate(
  names: readonly FunctionName[],
  known: Known,
): Partial<Record<FunctionName, FunctionValue>> {
  return Object.fromEntries(names.map((name) => [name, functions[name](known)]));
}

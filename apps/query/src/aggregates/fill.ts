import { ExactSum } from '@engawa/model';
import { isLevel } from './functions.ts';
import type { ResponseWork } from '@engawa/http';
import type { ExactNumber } from '@engawa/model';
import type { AggregateBucket } from './aggregate.ts';
import type { FunctionName, FunctionValue } from './functions.ts';

/** The value of a field in a bucket without readings of it. */
export type Fill = 'none' | 'null' | 'previous' | 'linear' | { value: ExactNumber };

/** The nearest bucket of the same group with a reading of a field. */
export interface Neighbour {
  /** Undefined where there is none. */
  bucket: AggregateBucket | undefined;
  /** Whether the readings of a nearer bucket may have expired. */
  isUncertain: boolean;
}

/** By field. */
export type Neighbours = ReadonlyMap<string, Neighbour>;

export interface FillRequest {
  fill: Exclude<Fill, 'none'>;
  fields: readonly string[];
  functions: readonly FunctionName[];
  /** Neighbours before the first bucket, for the fields that it lacks, and after the last one. */
  before: Neighbours;
  after: Neighbours;
}

const nothing: Neighbour = { bucket: undefined, isUncertain: false };

/** Fills the buckets of one group, which are in order of time and without gaps, so that each has all fields. */
export function* filled(
  buckets: readonly AggregateBucket[],
  request: FillRequest,
): ResponseWork<AggregateBucket[]> {
  const results = buckets.map((bucket) => ({ ...bucket, fields: fieldsOf(bucket) }));
  for (const field of request.fields) {
    const previous = nearest(buckets, field, request.before.get(field));
    const next = nearest(buckets.toReversed(), field, request.after.get(field)).reverse();
    for (const [index, bucket] of results.entries()) {
      if (bucket.reported.has(field)) continue;
      const around = { previous: previous[index] ?? nothing, next: next[index] ?? nothing };
      const lasting = Object.hasOwn(bucket.fields, field) ? bucket.fields[field] : {};
      bucket.fields[field] = Object.fromEntries(
        request.functions.map((name) => [
          name,
          lasting?.[name] ?? valueOf(name, { ...request, bucket, field, around }),
        ]),
      );
      bucket.isIncomplete ||= isUncertain(request, around);
    }
    yield buckets.length * request.functions.length;
  }
  return results.map((bucket) => ({ ...bucket, fields: sorted(bucket.fields) }));
}

/** For each bucket the last bucket before it with a reading of the field. */
function nearest(
  buckets: readonly AggregateBucket[],
  field: string,
  before: Neighbour = nothing,
): Neighbour[] {
  let known = before;
  return buckets.map((bucket) => {
    const found = known;
    if (bucket.reported.has(field)) known = { bucket, isUncertain: bucket.isIncomplete };
    else if (bucket.isIncomplete) known = { ...known, isUncertain: true };
    return found;
  });
}

interface NeighbourPair {
  previous: Neighbour;
  next: Neighbour;
}

interface Gap extends Pick<FillRequest, 'fill'> {
  bucket: AggregateBucket;
  field: string;
  around: NeighbourPair;
}

function valueOf(name: FunctionName, gap: Gap): FunctionValue {
  const { fill } = gap;
  if (typeof fill === 'object') return fill.value;
  if (name === 'count') return 0;
  if (fill === 'null') return null;
  // An amount of a time without readings is 0; a level stays, or changes from one neighbour to the
  // other.
  if (!isLevel(name)) return 0;
  if (fill === 'linear') return between(name, gap);
  if (name === 'timeWeightedMean') return gap.bucket.kept.get(gap.field) ?? null;
  return valueIn(gap.around.previous, gap.field, name);
}

/**
 * Linear interpolation between the neighbours, whose values count for the beginning of their
 * buckets; the nearest double.
 */
function between(name: FunctionName, { bucket, field, around: { previous, next } }: Gap) {
  const [left, right] = [valueIn(previous, field, name), valueIn(next, field, name)];
  const [start, end] = [previous.bucket?.from, next.bucket?.from];
  if (left === null || right === null || start === undefined || end === undefined) return null;
  const sum = new ExactSum().addProduct(left, end - bucket.from);
  return sum.addProduct(right, bucket.from - start).dividedBy(end - start);
}

function valueIn({ bucket }: Neighbour, field: string, name: FunctionName): FunctionValue {
  return bucket?.fields[field]?.[name] ?? null;
}

function isUncertain({ fill, functions }: FillRequest, { previous, next }: NeighbourPair): boolean {
  if (!needsNeighbours(fill, functions)) return false;
  return previous.isUncertain || (fill === 'linear' && next.isUncertain);
}

/** Whether filling needs neighbouring buckets. */
export function needsNeighbours(fill: Fill, functions: readonly FunctionName[]): boolean {
  if (fill === 'previous')
    return functions.some((name) => isLevel(name) && !keepsLast(fill, [name]));
  return fill === 'linear' && functions.some(isLevel);
}

/** Whether filling needs the last values themselves: a mean of them is no value that was reported. */
export function keepsLast(fill: Fill, functions: readonly FunctionName[]): boolean {
  return fill === 'previous' && functions.includes('timeWeightedMean');
}

/** A copy. Without a prototype, a field may have any name, also `__proto__`. */
function fieldsOf({ fields }: AggregateBucket): AggregateBucket['fields'] {
  return Object.assign(Object.create(null) as AggregateBucket['fields'], fields);
}

function sorted<Value>(fields: Record<string, Value>): Record<string, Value> {
  return Object.fromEntries(Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1)));
}

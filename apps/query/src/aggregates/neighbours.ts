import { bucketStart } from '@engawa/model';
import pMap from 'p-map';
import { aggregate } from './aggregate.ts';
import { addLastValues, lastValuesOf, lookbackMs } from './last-values.ts';
import { PageProgress } from './page-progress.ts';
import type { TimeRange } from '../time-range.ts';
import type { AggregateBucket } from './aggregate.ts';
import type { AggregateRequest, AggregateSource, PeriodGroup } from './aggregate-request.ts';
import type { Period } from './period.ts';
import type { Neighbours } from './fill.ts';

export interface NeighboursRequest extends Omit<
  AggregateRequest,
  'groups' | 'edges' | 'fields' | 'limit' | 'skipped'
> {
  group: PeriodGroup;
  /** The fields to search. */
  names: readonly string[];
  /**
   * The range that is searched, before or after the buckets that lack the fields. If it begins before the whole range,
   * older values are searched as well.
   */
  within: TimeRange;
  side: 'before' | 'after';
  /** The bucket that contains a moment. */
  bucketAt: (time: number) => TimeRange;
}

interface NeighbourSearch extends NeighboursRequest {
  progress: PageProgress;
}

interface Moments {
  /** The nearest report of each field. */
  times: Map<string, number>;
  /** Readings before this may have expired. */
  expiredUntil: number;
  /** Fields that may have a report which was not found. */
  unknown: Set<string>;
}

/** Each step is four times as long as the step before. */
const growthFactor = 4;
const maxConcurrentDevices = 8;

/**
 * Finds the nearest buckets with a value, in growing steps. Without it, filled values would depend
 * on where the page begins.
 * @returns undefined where the page stops because it has made progress: the same request then gets
 * further
 */
export async function neighboursOf(
  source: AggregateSource,
  request: NeighboursRequest,
): Promise<Neighbours | undefined> {
  if (request.names.length === 0) return new Map();
  const progress = new PageProgress(true);
  const moments =
    (await findMoments(source, { ...request, progress })) ??
    (progress.kept > 0
      ? undefined
      : await findMoments(source, { ...request, progress: new PageProgress(false) }));
  if (moments === undefined) return undefined;
  const buckets = await bucketsAt(source, request, new Set(moments.times.values()));
  if (buckets === undefined) return undefined;
  return new Map(
    request.names.map((name) => {
      const time = moments.times.get(name) ?? -Infinity;
      const bucket = buckets.get(time);
      const isUncertain =
        bucket?.isIncomplete === true || moments.expiredUntil > time || moments.unknown.has(name);
      return [name, { bucket, isUncertain }];
    }),
  );
}

async function findMoments(
  source: AggregateSource,
  search: NeighbourSearch,
): Promise<Moments | undefined> {
  const { within, names } = search;
  const moments: Moments = { times: new Map(), expiredUntil: -Infinity, unknown: new Set() };
  let left = within;
  for (let step = lookbackMs; left.from < left.to; step *= growthFactor) {
    const part = nextPart(left, search.side, step);
    if (!(await lookThrough(source, search, part, moments))) return undefined;
    if (names.every((name) => moments.times.has(name))) return moments;
    left = search.side === 'before' ? { ...left, to: part.from } : { ...left, from: part.to };
  }
  if (search.side === 'after' || within.from >= search.from) return moments;
  return (await searchOlder(source, search, moments)) ? moments : undefined;
}

/**
 * Searches the last reports before the range, however old they are.
 * @returns false where the page stops because it has made progress
 */
async function searchOlder(
  source: AggregateSource,
  { group, within, names, budget, progress, signal, log }: NeighbourSearch,
  moments: Moments,
): Promise<boolean> {
  const open = new Set(names.filter((name) => !moments.times.has(name)));
  const search = async ({ device, from, since = from }: Period) => {
    const known = lastValuesOf();
    const shared = { device, budget, progress, signal, log };
    const before = { from: within.from, to: within.from };
    const request = { shared, within: before, since, names: open };
    return (await addLastValues(source, request, known)) ? known : undefined;
  };
  const found = await pMap(group.periods, search, { concurrency: maxConcurrentDevices });
  for (const known of found) {
    if (known === undefined) return false;
    moments.expiredUntil = Math.max(moments.expiredUntil, known.expiredUntil);
    for (const name of known.unknown) moments.unknown.add(name);
    for (const name of open) {
      const time = known.values.get(name)?.time;
      const later = Math.max(time ?? -Infinity, moments.times.get(name) ?? -Infinity);
      if (later > -Infinity) moments.times.set(name, later);
    }
  }
  return true;
}

/** Whole days, so that rollups of days can be used. */
function nextPart({ from, to }: TimeRange, side: NeighboursRequest['side'], step: number) {
  return side === 'before'
    ? { from: Math.max(from, bucketStart(to - step, 'P1D')), to }
    : { from, to: Math.min(to, bucketStart(from, 'P1D') + step) };
}

/** @returns whether the whole part was searched */
async function lookThrough(
  source: AggregateSource,
  { group, names, side, ...search }: NeighbourSearch,
  part: TimeRange,
  moments: Moments,
): Promise<boolean> {
  const stays = group.periods.map(({ device, from, since = from, to }) => {
    return { device, edges: [Math.max(since, part.from), Math.min(to, part.to)] as const };
  });
  const overlapping = stays.filter(({ edges: [from, to] }) => from < to);
  const { budget, progress, signal, log } = search;
  const shared = { atLeastUntil: part.to, budget, progress, signal, log };
  const summaries = await pMap(
    Map.groupBy(overlapping, ({ device }) => device),
    async ([device, own]) => {
      const edges = own.map(({ edges }) => edges);
      const known = await source.summaries.ofStays({ ...shared, device, stays: edges });
      return known.length === edges.length ? known : [undefined];
    },
    { concurrency: maxConcurrentDevices },
  );
  const found = new Map<string, number[]>();
  for (const summary of summaries.flat()) {
    if (summary === undefined) return false;
    moments.expiredUntil = Math.max(moments.expiredUntil, summary.expiredUntil);
    for (const name of names) {
      const field = summary.fields.get(name);
      if (field === undefined || moments.times.has(name)) continue;
      const { time } = side === 'before' ? field.last : field.first;
      found.set(name, [...(found.get(name) ?? []), time]);
    }
  }
  const pick = side === 'before' ? Math.max : Math.min;
  for (const [name, times] of found) moments.times.set(name, pick(...times));
  return true;
}

/** Also before the range. */
function wholeStay(period: Period): Period {
  return { ...period, from: period.since ?? period.from };
}

async function bucketsAt(
  source: AggregateSource,
  { group, names, bucketAt, ...request }: NeighboursRequest,
  times: ReadonlySet<number>,
): Promise<Map<number, AggregateBucket> | undefined> {
  const known = new Map<number, AggregateBucket>();
  const byTime = new Map<number, AggregateBucket>();
  for (const time of times) {
    const { from, to } = bucketAt(time);
    const [bucket = known.get(from)] = known.has(from)
      ? []
      : await aggregate(source, {
          ...request,
          groups: [{ ...group, periods: group.periods.map(wholeStay) }],
          from: Math.min(request.from, from),
          edges: [from, to],
          limit: 1,
          skipped: 0,
          fields: new Set(names),
          stateFunctions: [],
          seen: new Set(),
        });
    if (bucket === undefined) return undefined;
    known.set(from, bucket);
    byTime.set(time, bucket);
  }
  return byTime;
}

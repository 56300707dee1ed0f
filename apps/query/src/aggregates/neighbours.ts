import { bucketStart } from '@engawa/model';
import pMap from 'p-map';
import { aggregate } from './aggregate.ts';
import { lookbackMs } from './increases.ts';
import { PageProgress } from './page-progress.ts';
import type { TimeRange } from '../time-range.ts';
import type { AggregateBucket } from './aggregate.ts';
import type { AggregateRequest, PeriodGroup } from './aggregate-request.ts';
import type { DeviceSummaries } from './device-summaries.ts';
import type { Neighbours } from './fill.ts';

export interface NeighboursRequest extends Omit<
  AggregateRequest,
  'groups' | 'edges' | 'fields' | 'limit' | 'skipped'
> {
  group: PeriodGroup;
  /** The fields to search. */
  names: readonly string[];
  /** The range that is searched, before or after the buckets that lack the fields. */
  within: TimeRange;
  side: 'before' | 'after';
  /** The bucket that contains a moment. */
  bucketAt: (time: number) => TimeRange;
}

interface NeighbourSearch extends NeighboursRequest {
  progress: PageProgress;
}

/** The nearest report of each field, and the time before which readings may have expired. */
interface Moments {
  times: Map<string, number>;
  expiredUntil: number;
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
  source: DeviceSummaries,
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
      const isUncertain = bucket?.isIncomplete === true || moments.expiredUntil > time;
      return [name, { bucket, isUncertain }];
    }),
  );
}

async function findMoments(
  source: DeviceSummaries,
  search: NeighbourSearch,
): Promise<Moments | undefined> {
  const { within, names } = search;
  const moments: Moments = { times: new Map(), expiredUntil: -Infinity };
  let left = within;
  for (let step = lookbackMs; left.from < left.to; step *= growthFactor) {
    const part = nextPart(left, search.side, step);
    if (!(await lookThrough(source, search, part, moments))) return undefined;
    if (names.every((name) => moments.times.has(name))) break;
    left = search.side === 'before' ? { ...left, to: part.from } : { ...left, from: part.to };
  }
  return moments;
}

/** Whole days, so that rollups of days can be used. */
function nextPart({ from, to }: TimeRange, side: NeighboursRequest['side'], step: number) {
  return side === 'before'
    ? { from: Math.max(from, bucketStart(to - step, 'P1D')), to }
    : { from, to: Math.min(to, bucketStart(from, 'P1D') + step) };
}

/** @returns whether the whole part was searched */
async function lookThrough(
  source: DeviceSummaries,
  { group, names, side, ...search }: NeighbourSearch,
  part: TimeRange,
  moments: Moments,
): Promise<boolean> {
  const edgesOf = group.periods.map(({ device, from, to }) => {
    return { device, edges: [Math.max(from, part.from), Math.min(to, part.to)] as const };
  });
  const overlapping = edgesOf.filter(({ edges: [from, to] }) => from < to);
  const summaries = await pMap(
    overlapping,
    async ({ device, edges }) => {
      const { budget, progress, signal, log } = search;
      const request = { device, edges, atLeastUntil: edges[1], budget, progress, signal, log };
      return (await source.of(request))[0];
    },
    { concurrency: maxConcurrentDevices },
  );
  const found = new Map<string, number[]>();
  for (const summary of summaries) {
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

async function bucketsAt(
  source: DeviceSummaries,
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
          groups: [group],
          edges: [from, to],
          limit: 1,
          skipped: 0,
          fields: new Set(names),
        });
    if (bucket === undefined) return undefined;
    known.set(from, bucket);
    byTime.set(time, bucket);
  }
  return byTime;
}

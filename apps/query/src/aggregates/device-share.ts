import { isOfCounter, isPercentile } from './functions.ts';
import { heldValuesOf } from './held-values.ts';
import { increasesOf, lastValuesOf, lookBack, lookbackMs, nearStart } from './increases.ts';
import type { Summary } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { AggregateRequest, Period } from './aggregate-request.ts';
import type { DeviceSummaries } from './device-summaries.ts';
import type { HeldFields } from './held-values.ts';
import type { Increases } from './increases.ts';
import type { PageProgress } from './page-progress.ts';

/** The contribution of one period of a device to the buckets from `first` on. */
export interface DeviceShare {
  first: number;
  summaries: readonly Summary[];
  /** One per bucket; empty where they were not requested. */
  increases: readonly Increases[];
  /** One per bucket; empty where they were not requested. */
  held: readonly HeldFields[];
  /** Number of complete buckets, counted from the first of the request. */
  known: number;
}

export interface ShareRequest extends AggregateRequest {
  period: Period;
  progress: PageProgress;
  /** As in `SummariesRequest`. */
  maxValues: number;
}

export async function shareOf(
  source: DeviceSummaries,
  request: ShareRequest,
): Promise<DeviceShare> {
  const { edges, functions, period, budget, progress, signal, log } = request;
  const own = clip(edges, period);
  const [start] = own;
  if (start === undefined) return { ...nothing, first: edges.length, known: edges.length - 1 };
  const first = edges.findLastIndex((edge) => edge <= start);
  const shared = { device: period.device, budget, progress, signal, log };
  const withSketches = functions.some(isPercentile);
  const atLeastUntil = edges[1] ?? start;
  const asks = { ...shared, withSketches, atLeastUntil, maxValues: request.maxValues };
  const needsBefore = functions.includes('timeWeightedMean') || functions.some(isOfCounter);
  if (!needsBefore) {
    const summaries = await source.of({ ...asks, edges: own });
    return { ...nothing, first, summaries, known: knownBuckets(first, summaries, own, edges) };
  }
  const within = { from: Math.max(period.from, request.from - lookbackMs), to: start };
  const near = nearStart(within);
  const hasBefore = near < start;
  const all = await source.of({ ...asks, edges: hasBefore ? [near, ...own] : own });
  const before = lastValuesOf(hasBefore ? all[0] : undefined);
  const summaries = hasBefore ? all.slice(1) : all;
  const names = namesOf(request, summaries);
  const further = { ...shared, within: { ...within, to: near }, names };
  if (functions.some(isOfCounter) && !(await lookBack(source, further, before)))
    return { ...nothing, first, known: first };
  const { isReset } = await source.correctionsOf(period.device, budget);
  const rules = request.counter;
  const increases = increasesOf(summaries, { names, before, rules, isReset });
  const held = heldValuesOf(summaries, { edges: own, names, before });
  return { first, summaries, increases, held, known: knownBuckets(first, summaries, own, edges) };
}

const nothing = { summaries: [], increases: [], held: [] };

/** The fields of the response. */
function namesOf({ fields }: ShareRequest, summaries: readonly Summary[]): Set<string> {
  const names = summaries.flatMap((summary) => [...summary.fields.keys()]);
  return new Set(fields === undefined ? names : names.filter((name) => fields.has(name)));
}

/** The edges within a period, and its ends where they lie between the edges; empty where the two do not overlap. */
function clip(edges: readonly number[], { from, to }: TimeRange): number[] {
  const start = Math.max(from, edges[0] ?? Infinity);
  const end = Math.min(to, edges.at(-1) ?? -Infinity);
  if (start >= end) return [];
  return [start, ...edges.filter((edge) => edge > start && edge < end), end];
}

/** A period that ends early adds nothing to later buckets: those are complete. */
function knownBuckets(
  first: number,
  summaries: readonly Summary[],
  own: readonly number[],
  edges: readonly number[],
): number {
  return summaries.length === own.length - 1 ? edges.length - 1 : first + summaries.length;
}

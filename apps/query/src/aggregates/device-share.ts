import { isOfCounter, isPercentile } from './functions.ts';
import { heldValuesOf } from './held-values.ts';
import { increasesOf, lastValuesOf, lookBack, lookback, nearStart } from './increases.ts';
import type { Summary } from '@engawa/model';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { AggregateQuestion, Period } from './aggregate.ts';
import type { DeviceSummaries } from './device-summaries.ts';
import type { HeldFields } from './held-values.ts';
import type { Increases } from './increases.ts';
import type { Progress } from './progress.ts';

/** What a period of a device adds to the buckets from the `first` on. */
export interface DeviceShare {
  first: number;
  summaries: readonly Summary[];
  /** Of each bucket; none where they were not asked for. */
  increases: readonly Increases[];
  /** The same. */
  held: readonly HeldFields[];
  /** Buckets that are known, counted from the first of the question. */
  known: number;
}

export interface ShareQuestion extends AggregateQuestion {
  period: Period;
  progress: Progress;
}

export async function shareOf(
  source: DeviceSummaries,
  question: ShareQuestion,
): Promise<DeviceShare> {
  const { edges, functions, period, budget, progress, signal, log } = question;
  const own = clip(edges, period);
  const [start] = own;
  if (start === undefined) return { ...nothing, first: edges.length, known: edges.length - 1 };
  const first = edges.findLastIndex((edge) => edge <= start);
  const shared = { device: period.device, budget, progress, signal, log };
  const withSketches = functions.some(isPercentile);
  const asks = { ...shared, withSketches, atLeastUntil: edges[1] ?? start };
  const needsBefore = functions.includes('timeWeightedMean') || functions.some(isOfCounter);
  if (!needsBefore) {
    const summaries = await source.of({ ...asks, edges: own });
    return { ...nothing, first, summaries, known: knownBuckets(first, summaries, own, edges) };
  }
  const within = { from: Math.max(period.from, question.from - lookback), to: start };
  const near = nearStart(within);
  const hasBefore = near < start;
  const all = await source.of({ ...asks, edges: hasBefore ? [near, ...own] : own });
  const before = lastValuesOf(hasBefore ? all[0] : undefined);
  const summaries = hasBefore ? all.slice(1) : all;
  const names = namesOf(question, summaries);
  const further = { ...shared, within: { ...within, to: near }, names };
  if (functions.some(isOfCounter) && !(await lookBack(source, further, before)))
    return { ...nothing, first, known: first };
  const { isReset } = await source.correctionsOf(period.device, budget);
  const rules = question.counter;
  const increases = increasesOf(summaries, { names, before, rules, isReset });
  const held = heldValuesOf(summaries, { edges: own, names, before });
  return { first, summaries, increases, held, known: knownBuckets(first, summaries, own, edges) };
}

const nothing = { summaries: [], increases: [], held: [] };

/** The fields that are in the answer. */
function namesOf({ fields }: ShareQuestion, summaries: readonly Summary[]): Set<string> {
  const names = summaries.flatMap((summary) => [...summary.fields.keys()]);
  return new Set(fields === undefined ? names : names.filter((name) => fields.has(name)));
}

/** The edges within a period, and its own ends where these are within them; none where they do not meet. */
function clip(edges: readonly number[], { from, to }: TimeRange): number[] {
  const start = Math.max(from, edges[0] ?? Infinity);
  const end = Math.min(to, edges.at(-1) ?? -Infinity);
  if (start >= end) return [];
  return [start, ...edges.filter((edge) => edge > start && edge < end), end];
}

/** A period that ends early knows that nothing comes behind it. */
function knownBuckets(
  first: number,
  summaries: readonly Summary[],
  own: readonly number[],
  edges: readonly number[],
): number {
  return summaries.length === own.length - 1 ? edges.length - 1 : first + summaries.length;
}

import { isOfCounter, isPercentile } from './functions.ts';
import { heldValuesOf } from './held-values.ts';
import { increasesOf } from './increases.ts';
import { appended } from './join-summaries.ts';
import { addLastValues, lastValuesOf, nearStart } from './last-values.ts';
import type { ResetMarks, Summary } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { AggregateRequest, AggregateSource, Period } from './aggregate-request.ts';
import type { FunctionName } from './functions.ts';
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
  source: AggregateSource,
  request: ShareRequest,
): Promise<DeviceShare> {
  const { edges, functions, period } = request;
  const own = clip(edges, period);
  const [start] = own;
  if (start === undefined) return { ...nothing, first: edges.length, known: edges.length - 1 };
  const first = edges.findLastIndex((edge) => edge <= start);
  if (needsBefore(functions)) return shareWithBefore(source, request, { own, start, first });
  const summaries = await source.summaries.of({ ...readingOf(request), edges: own });
  return { ...nothing, first, summaries, known: knownBuckets(first, summaries, own, edges) };
}

/** The edges of the buckets that a period overlaps. */
interface OwnEdges {
  own: readonly number[];
  start: number;
  /** The number of its first bucket. */
  first: number;
}

/** A share of which the last values before the buckets count, which are read with the day before them. */
async function shareWithBefore(
  source: AggregateSource,
  request: ShareRequest,
  { own, start, first }: OwnEdges,
): Promise<DeviceShare> {
  const { edges, functions, period, budget, now } = request;
  const since = period.since ?? period.from;
  const near = Math.max(since, nearStart(start));
  const hasBefore = near < start;
  const cutAt = own.some((edge, index) => edge < now && now < (own[index + 1] ?? edge))
    ? now
    : undefined;
  const cut = cutAt === undefined ? own : [...own, cutAt].sort((left, right) => left - right);
  const all = await source.summaries.of({
    ...readingOf(request),
    edges: hasBefore ? [near, ...cut] : cut,
    cutAt,
  });
  const before = lastValuesOf(hasBefore ? all[0] : undefined);
  const { isReset } = await source.summaries.correctionsOf(period.device, budget);
  const parts = hasBefore ? all.slice(1) : all;
  const { summaries, untilNow } = joinedAt(
    cutAt === undefined ? -1 : cut.indexOf(cutAt),
    parts,
    isReset,
  );
  const names = namesOf(request, summaries);
  const within = { from: nearStart(request.from), to: near };
  const search = { shared: sharedOf(request), within, since, names: searchedNames(request, names) };
  if (!(await addLastValues(source, search, before))) return { ...nothing, first, known: first };
  const rules = request.counter;
  const increases = functions.some(isOfCounter)
    ? increasesOf(summaries, { names, before, rules, isReset })
    : [];
  const held = functions.includes('timeWeightedMean')
    ? heldValuesOf(summaries, { ...request, edges: own, before, untilNow })
    : [];
  return { first, summaries, increases, held, known: knownBuckets(first, summaries, own, edges) };
}

const nothing = { summaries: [], increases: [], held: [] };

function needsBefore(functions: readonly FunctionName[]): boolean {
  return functions.includes('timeWeightedMean') || functions.some(isOfCounter);
}

function sharedOf({ period, budget, progress, signal, log }: ShareRequest) {
  return { device: period.device, budget, progress, signal, log };
}

function readingOf(request: ShareRequest) {
  const { edges, functions, maxValues } = request;
  const atLeastUntil = edges[1] ?? Infinity;
  const withSketches = functions.some(isPercentile);
  return { ...sharedOf(request), atLeastUntil, withSketches, maxValues };
}

/** Joins the two parts of the bucket that is cut at an edge. */
function joinedAt(
  cut: number,
  parts: readonly Summary[],
  isReset: ResetMarks,
): { summaries: readonly Summary[]; untilNow: Summary | undefined } {
  const [untilNow, rest] = cut < 0 ? [] : [parts[cut - 1], parts[cut]];
  if (untilNow === undefined) return { summaries: parts, untilNow };
  const joined = rest === undefined ? [] : [appended([untilNow, rest], isReset)];
  return { summaries: [...parts.slice(0, cut - 1), ...joined, ...parts.slice(cut + 1)], untilNow };
}

/** The fields of the response that have readings. */
function namesOf({ fields }: ShareRequest, summaries: readonly Summary[]): Set<string> {
  const names = summaries.flatMap((summary) => [...summary.fields.keys()]);
  return new Set(fields === undefined ? names : names.filter((name) => fields.has(name)));
}

/** The fields whose last value counts, however old it is. */
function searchedNames(
  { functions, fields = new Set(), keepsLast }: ShareRequest,
  reported: ReadonlySet<string>,
): ReadonlySet<string> {
  const ofCounters = functions.some(isOfCounter) ? reported : [];
  return new Set([...ofCounters, ...(keepsLast ? fields : [])]);
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

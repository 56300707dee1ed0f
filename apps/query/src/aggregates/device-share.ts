import { invariant } from '@engawa/errors';
import { isOfCounter, isPercentile } from './functions.ts';
import { heldValuesOf } from './held-values.ts';
import { increasesOf } from './increases.ts';
import { appended } from './join-summaries.ts';
import { addLastValues, lastValuesOf, nearStart } from './last-values.ts';
import type { LastValues } from './last-values.ts';
import type { ResetMarks, Summary } from '@engawa/model';
import type { TimeRange } from '../time-range.ts';
import type { AggregateRequest, AggregateSource } from './aggregate-request.ts';
import type { Period } from './period.ts';
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

export interface SharesRequest extends AggregateRequest {
  device: string;
  /** The device's stays, in order of time. */
  periods: readonly Period[];
  progress: PageProgress;
  /** As in `SummariesRequest`. */
  maxValues: number;
}

/** The part of a period in the buckets. */
interface Stay {
  /** The edges of the buckets that it overlaps. */
  own: readonly number[];
  start: number;
  /** The number of its first bucket. */
  first: number;
  /** The beginning of the whole stay. */
  since: number;
  /** The beginning of the day before it that is read with it, to know the last values before it; or `start`. */
  near: number;
  /** The edges of all summaries that are read: with those of the day before, and cut at `cutAt`. */
  edges: readonly number[];
}

/** A share of each stay of a device in the buckets. */
export async function sharesOf(
  source: AggregateSource,
  request: SharesRequest,
): Promise<DeviceShare[]> {
  const { functions, periods } = request;
  const cutAt = needsBefore(functions) ? cutOf(request) : undefined;
  const stays = periods.flatMap((period) => stayOf(request, period, cutAt) ?? []);
  if (stays.length === 0) return [];
  const all = await source.summaries.ofStays({
    ...readingOf(request),
    stays: stays.map(({ edges }) => edges),
    cutAt,
  });
  const shares: DeviceShare[] = [];
  let offset = 0;
  for (const stay of stays) {
    const parts = all.slice(offset, offset + stay.edges.length - 1);
    offset += stay.edges.length - 1;
    shares.push(await shareOf(source, request, { stay, parts, cutAt }));
  }
  return shares;
}

/** The current time, if it is within a bucket: values are held until then. */
function cutOf({ edges, now }: SharesRequest): number | undefined {
  const isWithin = edges.some((edge, index) => edge < now && now < (edges[index + 1] ?? edge));
  return isWithin ? now : undefined;
}

function stayOf(
  { edges, functions }: SharesRequest,
  period: Period,
  cutAt: number | undefined,
): Stay | undefined {
  const own = clip(edges, period);
  const [start] = own;
  if (start === undefined) return undefined;
  const first = edges.findLastIndex((edge) => edge <= start);
  const since = period.since ?? period.from;
  const near = needsBefore(functions) ? Math.max(since, nearStart(start)) : start;
  const cut =
    cutAt === undefined || cutAt <= start || cutAt >= invariant(own.at(-1), 'a stay has an end')
      ? own
      : [...own, cutAt].sort((left, right) => left - right);
  return { own, start, first, since, near, edges: near < start ? [near, ...cut] : cut };
}

interface StaySummaries {
  stay: Stay;
  /** Of its edges, from the first on. */
  parts: readonly Summary[];
  cutAt: number | undefined;
}

async function shareOf(
  source: AggregateSource,
  request: SharesRequest,
  { stay, parts, cutAt }: StaySummaries,
): Promise<DeviceShare> {
  const { edges, functions } = request;
  const { own, start, first, since, near } = stay;
  if (!needsBefore(functions)) {
    return { ...nothing, first, summaries: parts, known: knownBuckets(first, parts, own, edges) };
  }
  const hasBefore = near < start;
  const before = lastValuesOf(hasBefore ? parts[0] : undefined);
  const cut = cutAt === undefined ? -1 : stay.edges.indexOf(cutAt);
  const isReset = await resetMarks(source, request, { from: near, stay, parts });
  const { summaries, untilNow } = joinedAt(
    hasBefore ? cut - 1 : cut,
    hasBefore ? parts.slice(1) : parts,
    isReset,
  );
  const names = namesOf(request, summaries);
  const within = { from: nearStart(request.from), to: near };
  const search = { shared: sharedOf(request), within, since, names: searchedNames(request, names) };
  if (!(await addLastValues(source, search, before))) return { ...nothing, first, known: first };
  const rules = request.counter;
  const increases = functions.some(isOfCounter)
    ? increasesOf(summaries, {
        ...{ names, before, rules },
        isReset: await resetMarks(source, request, { from: earliestOf(before, near), stay, parts }),
      })
    : [];
  const held = functions.includes('timeWeightedMean')
    ? heldValuesOf(summaries, { ...request, edges: own, before, untilNow })
    : [];
  return { first, summaries, increases, held, known: knownBuckets(first, summaries, own, edges) };
}

/** The resets from a time on, up to the end of the known summaries. */
async function resetMarks(
  { summaries }: AggregateSource,
  { device, budget }: SharesRequest,
  { from, stay, parts }: Pick<StaySummaries, 'stay' | 'parts'> & { from: number },
): Promise<ResetMarks> {
  const to = invariant(stay.edges[parts.length], 'each summary has an end');
  return (await summaries.correctionsOf(device, { from, to }, { atLeastUntil: to, budget }))
    .isReset;
}

/** The time of the earliest value, if it is before `start`. */
function earliestOf({ values }: LastValues, start: number): number {
  return values.values().reduce((least, { time }) => Math.min(least, time), start);
}

const nothing = { summaries: [], increases: [], held: [] };

function needsBefore(functions: readonly FunctionName[]): boolean {
  return functions.includes('timeWeightedMean') || functions.some(isOfCounter);
}

function sharedOf({ device, budget, progress, signal, log }: SharesRequest) {
  return { device, budget, progress, signal, log };
}

function readingOf(request: SharesRequest) {
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
function namesOf({ fields }: SharesRequest, summaries: readonly Summary[]): Set<string> {
  const names = summaries.flatMap((summary) => [...summary.fields.keys()]);
  return new Set(fields === undefined ? names : names.filter((name) => fields.has(name)));
}

/** The fields whose last value counts, however old it is. */
function searchedNames(
  { functions, fields = new Set(), keepsLast }: SharesRequest,
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

import { aggregate } from '../aggregates/aggregate.ts';
import { keepsLast } from '../aggregates/fill.ts';
import { numericFunctionsOf, stateFunctionsOf } from '../aggregates/functions.ts';
import { edgesOf } from './aggregates-query.ts';
import { bucketShower } from './bucket-output.ts';
import { filledPage } from './filled-page.ts';
import { pageNotes } from './page-notes.ts';
import { compareNames, periodGroups } from './period-groups.ts';
import type { RequestBudget } from '@engawa/http';
import type { AggregateBucket } from '../aggregates/aggregate.ts';
import type {
  AggregateRequest,
  AggregateSource,
  PeriodGroup,
} from '../aggregates/aggregate-request.ts';
import type { AggregatesQuery, BucketStart } from './aggregates-query.ts';
import type { SeriesCall, SeriesPage } from './series.ts';
import type { Subject } from './subject.ts';

interface PageContext {
  call: SeriesCall<AggregatesQuery>;
  where: BucketStart;
  /** Maximum buckets of all groups together. */
  limit: number;
}

/** The buckets from a position on, in order of time, then of group names. */
export async function aggregatesPage(
  source: AggregateSource,
  subject: Subject,
  { call, where, limit }: PageContext,
): Promise<SeriesPage<BucketStart>> {
  const { params, query } = call;
  const all = await periodGroups(subject, {
    params,
    range: { from: where.from, to: where.to },
    by: query.groupBy,
    limits: call,
  });
  const startAfter = (bucket: AggregateBucket | undefined) => nextOf(where, bucket, all) ?? where;
  if (all.length === 0) return emptyPage(undefined, where);
  const request = requestOf(all, { call, where, limit });
  const found = await aggregate(source, request);
  const buckets = found.slice(request.skipped);
  const shown = await filledPage(source, buckets, { request, query, where });
  if (shown === undefined) return emptyPage(where, where);
  const next = nextOf(where, buckets.at(-1) ?? found.at(-1), all);
  return {
    elements: shown.map(bucketShower(query)),
    next,
    head: async () => {
      const isGiven = typeof query.fill === 'object';
      const notes = await pageNotes(source, request, isGiven ? buckets : shown);
      return notes.length > 0 ? { notes } : {};
    },
    startAfter: (count) => startAfter(shown[count - 1]),
  };
}

function requestOf(
  all: readonly PeriodGroup[],
  { call: { query, budget, work, signal, log }, where, limit }: PageContext,
): AggregateRequest {
  const most = Math.min(limit, maxBuckets(query, budget));
  const { groups, times, skipped } = pageOf(all, where, most);
  const functions = numericFunctionsOf(query.fn);
  return {
    groups,
    edges: edgesOf(query, where, times),
    from: where.from,
    limit: most,
    skipped,
    functions,
    stateFunctions: stateFunctionsOf(query.fn),
    fields: query.fields && new Set(query.fields),
    now: Date.now(),
    keepsLast: keepsLast(query.fill, functions),
    rateUnit: query.per,
    counter: { wrapsAt: query.wrapsAt, reset: query.reset },
    budget,
    seen: new Set(),
    work,
    signal,
    log,
  };
}

function emptyPage(next: BucketStart | undefined, where: BucketStart): SeriesPage<BucketStart> {
  return { elements: [], next, startAfter: () => where };
}

/** Maximum buckets whose values, of the requested fields, fit a page; so no more are read. */
function maxBuckets({ fields, fn }: AggregatesQuery, { maxValues }: RequestBudget): number {
  return fields === undefined
    ? Infinity
    : Math.max(1, Math.floor(maxValues / (fields.length * fn.length)));
}

/**
 * The buckets of a page: how many times, which groups, and how many groups of the first time were
 * on the page before.
 */
function pageOf(all: readonly PeriodGroup[], { after }: BucketStart, limit: number) {
  const isGiven = ({ name }: PeriodGroup) =>
    after !== undefined && compareNames(name, after.group) <= 0;
  const given = all.filter(isGiven).length;
  const times = Math.max(1, Math.ceil((given + limit) / all.length));
  if (times > 1) return { groups: all, times, skipped: given };
  return { groups: all.slice(given, given + limit), times, skipped: 0 };
}

function nextOf(
  where: BucketStart,
  last: AggregateBucket | undefined,
  all: readonly PeriodGroup[],
): BucketStart | undefined {
  const { from, to } = where;
  if (last === undefined) return where.start < to ? where : undefined;
  if (compareNames(last.group, all.at(-1)?.name) < 0) {
    return { from, to, start: last.from, after: { group: last.group } };
  }
  return last.to < to ? { from, to, start: last.to } : undefined;
}

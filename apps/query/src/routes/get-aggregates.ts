import { questionOf, route } from '@engawa/http';
import { earliestInstant, latestInstant } from '@engawa/keys';
import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { aggregate, lookback } from '../aggregates/aggregate.ts';
import {
  aggregatesQuery,
  bucketColumns,
  bucketFrom,
  bucketPosition,
  edgesOf,
  firstBucket,
  showBucket,
  shownBucket,
} from './aggregates-query.ts';
import { largestPage, usualPage } from './readings-query.ts';
import type { ProblemCode } from '@engawa/errors';
import type { Budget, CursorCodec, Route } from '@engawa/http';
import type { Logger } from 'pino';
import type { AggregateBucket, Period } from '../aggregates/aggregate.ts';
import type { DeviceSummaries } from '../aggregates/device-summaries.ts';
import type { MembershipStore, Scene } from '../membership-store.ts';
import type { TimeRange } from '../merge-blocks.ts';
import type { ReadingStore } from '../reading-store.ts';
import type { AggregatesQuery, BucketStart } from './aggregates-query.ts';

export interface GetAggregatesOptions {
  readings: ReadingStore;
  memberships: MembershipStore;
  summaries: DeviceSummaries;
  cursors: CursorCodec;
}

/** What a page may cost, and for how long somebody waits for it. */
interface Means {
  budget: Budget;
  signal: AbortSignal;
}

/** What differs between the aggregates of a device, a room and a place. */
interface Kind<Params extends z.ZodObject> {
  path: string;
  operationId: string;
  summary: string;
  params: Params;
  problem: ProblemCode;
  /** Whose readings count, and when. */
  periods: (params: z.output<Params>, range: TimeRange & Means) => Promise<readonly Period[]>;
}

interface Call<Params extends z.ZodObject> extends Means {
  params: z.output<Params>;
  query: AggregatesQuery;
  log: Logger;
}

const answer = z.strictObject({
  buckets: z.array(shownBucket).describe('All buckets of the range, also those without readings.'),
  cursor: z
    .string()
    .optional()
    .describe('Gives the next page, also where this one is short; the last page has none.'),
});

/** What the readings of a device, those taken in a room, and those taken at a place came to. */
export function getAggregates(options: GetAggregatesOptions): Route[] {
  const there = async (scene: Scene, { budget, ...range }: TimeRange & Means) => {
    const from = range.from - lookback;
    const { periods, units } = await options.memberships.overlapping({ ...scene, ...range, from });
    budget.charge(units);
    return periods;
  };
  return [
    aggregatesRoute(options, {
      path: '/v1/devices/{id}/aggregates',
      operationId: 'getAggregates',
      summary: 'What the readings of a device came to, by the hour, day, …',
      params: z.strictObject({ id: deviceId }),
      problem: 'device-not-found',
      periods: async ({ id }) => {
        await options.readings.device(id);
        return [{ device: id, from: earliestInstant, to: latestInstant }];
      },
    }),
    aggregatesRoute(options, {
      path: '/v1/rooms/{place}/{room}/aggregates',
      operationId: 'getRoomAggregates',
      summary:
        'What the readings taken in a room came to, also those of devices that have moved away',
      params: z.strictObject({ place: placeId, room: roomId }),
      problem: 'room-not-found',
      periods: ({ place, room }, range) => there({ place, room }, range),
    }),
    aggregatesRoute(options, {
      path: '/v1/places/{id}/aggregates',
      operationId: 'getPlaceAggregates',
      summary: 'What the readings taken at a place came to',
      params: z.strictObject({ id: placeId }),
      problem: 'place-not-found',
      periods: ({ id }, range) => there({ place: id }, range),
    }),
  ];
}

function aggregatesRoute<Params extends z.ZodObject>(
  options: GetAggregatesOptions,
  kind: Kind<Params>,
): Route {
  const { path, operationId, summary, params, problem } = kind;
  return route({
    method: 'get',
    path,
    operationId,
    summary,
    tags: ['aggregates'],
    params,
    query: aggregatesQuery,
    answers: { 200: { description: 'A page of buckets, in order of time.', schema: answer } },
    problems: [problem],
    rows: {
      schema: shownBucket,
      columns: ({ query }) => bucketColumns(query),
      each: (call) => allRows(options, kind, call),
    },
    handle: async (call) => {
      const start = startOf(options, kind, call);
      const { limit = usualPage, timeZone } = call.query;
      const { buckets, next } = await readPage(options, kind, { ...call, ...start, limit });
      const cursor = next && options.cursors.encode(asked(kind, call), bucketPosition(next));
      const shown = buckets.map((bucket) => showBucket(bucket, timeZone));
      return { status: 200, body: { buckets: shown, cursor } };
    },
  });
}

/** All buckets from the start on, page by page, each with means of its own. */
async function* allRows<Params extends z.ZodObject>(
  options: GetAggregatesOptions,
  kind: Kind<Params>,
  call: Call<Params>,
): AsyncGenerator<Record<string, unknown>> {
  let { budget } = call;
  let left = call.query.limit ?? Infinity;
  let next: BucketStart | undefined = startOf(options, kind, call);
  while (next !== undefined && left > 0) {
    const limit = Math.min(left, largestPage);
    const page: Page = await readPage(options, kind, { ...call, ...next, limit, budget });
    for (const bucket of page.buckets) yield showBucket(bucket, call.query.timeZone);
    left -= page.buckets.length;
    next = page.next;
    budget = budget.renewed();
  }
}

interface Page {
  buckets: AggregateBucket[];
  next: BucketStart | undefined;
}

async function readPage<Params extends z.ZodObject>(
  { summaries }: GetAggregatesOptions,
  { periods }: Kind<Params>,
  call: Call<Params> & BucketStart & { limit: number },
): Promise<Page> {
  const { query, from, to, start, limit, budget, signal, log } = call;
  const buckets = await aggregate(summaries, {
    periods: await periods(call.params, { from, to, budget, signal }),
    edges: edgesOf(query, call, limit),
    functions: query.fn,
    fields: query.fields && new Set(query.fields),
    counter: { wrapsAt: query.wrapsAt, reset: query.reset },
    budget,
    signal,
    log,
  });
  const reached = buckets.at(-1)?.to ?? start;
  return { buckets, next: reached < to ? { from, to, start: reached } : undefined };
}

function startOf<Params extends z.ZodObject>(
  { cursors }: GetAggregatesOptions,
  kind: Kind<Params>,
  call: Call<Params>,
): BucketStart {
  const { cursor } = call.query;
  return cursor === undefined
    ? firstBucket(call.query)
    : bucketFrom(cursors.decode(asked(kind, call), cursor));
}

function asked<Params extends z.ZodObject>(
  { operationId }: Kind<Params>,
  { params, query }: Call<Params>,
): string {
  return questionOf(operationId, { ...params, ...query });
}

import { questionOf, route } from '@engawa/http';
import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { shownDeviceReading, shownReading, showReading } from '../schemas.ts';
import {
  columnsOf,
  firstStart,
  largestPage,
  positionOf,
  readingsQuery,
  startFrom,
  usualPage,
} from './readings-query.ts';
import type { ProblemCode } from '@engawa/errors';
import type { Budget, CursorCodec, Route } from '@engawa/http';
import type { DevicePeriod, MembershipStore, Scene } from '../membership-store.ts';
import type { ReadingPage, TimeRange } from '../merge-blocks.ts';
import type { ReadingStore } from '../reading-store.ts';
import type { DeviceReading } from '../track.ts';
import type { ReadingsQuery, Start } from './readings-query.ts';

export interface GetReadingsOptions {
  readings: ReadingStore;
  memberships: MembershipStore;
  cursors: CursorCodec;
}

/** What a page may cost, and for how long somebody waits for it. */
interface Means {
  budget: Budget;
  signal: AbortSignal;
}

/** What differs between the readings of a device, a room and a place. */
interface Kind<Params extends z.ZodObject> {
  path: string;
  operationId: string;
  summary: string;
  params: Params;
  problem: ProblemCode;
  /** Whether each reading says which device it is of. */
  ofSeveral: boolean;
  periods: (params: z.output<Params>, range: TimeRange & Means) => Promise<readonly DevicePeriod[]>;
}

/** The readings of a device, those taken in a room, and those taken at a place. */
export function getReadings(options: GetReadingsOptions): Route[] {
  const there = async (scene: Scene, { budget, ...range }: TimeRange & Means) => {
    const { periods, units } = await options.memberships.overlapping({ ...scene, ...range });
    budget.charge(units);
    return periods;
  };
  return [
    readingsRoute(options, {
      path: '/v1/devices/{id}/readings',
      operationId: 'getReadings',
      summary: 'The readings of a device from one time to another',
      params: z.strictObject({ id: deviceId }),
      problem: 'device-not-found',
      ofSeveral: false,
      periods: async ({ id }, { from, to }) => {
        await options.readings.device(id);
        return [{ device: id, from, to }];
      },
    }),
    readingsRoute(options, {
      path: '/v1/rooms/{place}/{room}/readings',
      operationId: 'getRoomReadings',
      summary: 'The readings taken in a room, also by devices that have moved away',
      params: z.strictObject({ place: placeId, room: roomId }),
      problem: 'room-not-found',
      ofSeveral: true,
      periods: ({ place, room }, range) => there({ place, room }, range),
    }),
    readingsRoute(options, {
      path: '/v1/places/{id}/readings',
      operationId: 'getPlaceReadings',
      summary: 'The readings taken at a place, also by devices that have moved away',
      params: z.strictObject({ id: placeId }),
      problem: 'place-not-found',
      ofSeveral: true,
      periods: ({ id }, range) => there({ place: id }, range),
    }),
  ];
}

interface Call<Params extends z.ZodObject> extends Means {
  params: z.output<Params>;
  query: ReadingsQuery;
}

function readingsRoute<Params extends z.ZodObject>(
  options: GetReadingsOptions,
  kind: Kind<Params>,
): Route {
  const { path, operationId, summary, params, problem, ofSeveral } = kind;
  const reading = ofSeveral ? shownDeviceReading : shownReading;
  return route({
    method: 'get',
    path,
    operationId,
    summary,
    tags: ['readings'],
    params,
    query: readingsQuery,
    answers: {
      200: { description: 'A page of readings, in order of time.', schema: pageOf(reading) },
    },
    problems: [problem],
    rows: {
      schema: reading,
      columns: ({ query }) => columnsOf(query, ofSeveral),
      each: (call) => allRows(options, kind, call),
    },
    handle: async (call) => {
      const start = startOf(options, kind, call);
      const limit = call.query.limit ?? usualPage;
      const { readings, next } = await readPage(options, kind, { ...call, ...start, limit });
      const cursor = next && options.cursors.encode(asked(kind, call), positionOf(start, next));
      return { status: 200, body: { readings: readings.map(shower(kind)), cursor } };
    },
  });
}

function pageOf(reading: z.ZodType) {
  return z.strictObject({
    readings: z.array(reading),
    cursor: z
      .string()
      .optional()
      .describe('Gives the next page, also where this one is short; the last page has none.'),
  });
}

/** All readings behind the start, as many as are asked for outright; page by page, each with means of its own. */
async function* allRows<Params extends z.ZodObject>(
  options: GetReadingsOptions,
  kind: Kind<Params>,
  call: Call<Params>,
): AsyncGenerator<Record<string, unknown>> {
  const show = shower(kind);
  const range = startOf(options, kind, call);
  let { start } = range;
  let { budget } = call;
  let left = call.query.limit ?? Infinity;
  for (;;) {
    const limit = Math.min(left, largestPage);
    const page = await readPage(options, kind, { ...call, ...range, start, limit, budget });
    for (const reading of page.readings) yield show(reading);
    left -= page.readings.length;
    start = page.next;
    if (start === undefined || left === 0) return;
    budget = budget.renewed();
  }
}

async function readPage<Params extends z.ZodObject>(
  { readings }: GetReadingsOptions,
  { periods }: Kind<Params>,
  {
    params,
    query,
    from,
    to,
    start,
    limit,
    budget,
    signal,
  }: Call<Params> & Start & { limit: number },
): Promise<ReadingPage> {
  return readings.readings({
    periods: await periods(params, { from, to, budget, signal }),
    from,
    to,
    start,
    order: query.order,
    fields: query.fields && new Set(query.fields),
    limit,
    budget,
    signal,
  });
}

function startOf<Params extends z.ZodObject>(
  { cursors }: GetReadingsOptions,
  kind: Kind<Params>,
  call: Call<Params>,
): Start {
  const { cursor } = call.query;
  return cursor === undefined
    ? firstStart(call.query)
    : startFrom(cursors.decode(asked(kind, call), cursor));
}

function asked<Params extends z.ZodObject>(
  { operationId }: Kind<Params>,
  { params, query }: Call<Params>,
): string {
  return questionOf(operationId, { ...params, ...query });
}

function shower<Params extends z.ZodObject>({ ofSeveral }: Kind<Params>) {
  return (reading: DeviceReading) =>
    ofSeveral ? { device: reading.device, ...showReading(reading) } : showReading(reading);
}

import { pageQuery, questionOf, route } from '@engawa/http';
import { earliestInstant, latestInstant } from '@engawa/keys';
import { deviceId, placeId, roomId } from '@engawa/model';
import { z } from 'zod';
import { aggregate, lookback } from '../aggregates/aggregate.ts';
import { bucketEdges, isTimeZone, localTime, widths } from '../aggregates/calendar.ts';
import { functionNames } from '../aggregates/functions.ts';
import { fieldsParameter } from '../fields-parameter.ts';
import { longestRangeDays, resolveRange } from '../resolve-range.ts';
import { timeParameter } from '../time-parameter.ts';
import type { Budget, CursorCodec, Route } from '@engawa/http';
import type { Logger } from 'pino';
import type { AggregateBucket, Period } from '../aggregates/aggregate.ts';
import type { DeviceSummaries } from '../aggregates/device-summaries.ts';
import type { MembershipStore, Scene } from '../membership-store.ts';
import type { TimeRange } from '../merge-blocks.ts';
import type { ReadingStore } from '../reading-store.ts';

export interface GetAggregatesOptions {
  readings: ReadingStore;
  memberships: MembershipStore;
  summaries: DeviceSummaries;
  cursors: CursorCodec;
}

const query = z.strictObject({
  from: timeParameter
    .optional()
    .describe(
      'Readings from this time on: ISO 8601 with an offset, or epoch seconds or milliseconds. By default 24 hours before `to`.',
    ),
  to: timeParameter
    .optional()
    .describe(
      `Readings before this time, at most ${longestRangeDays} days after \`from\`. By default now.`,
    ),
  every: z
    .enum(widths)
    .default('PT1H')
    .describe(
      'How wide a bucket is. Buckets begin at full hours, days, Mondays, months, … of the time zone; the first and the last one are cut off at `from` and `to`.',
    ),
  fn: z
    .string()
    .transform((text) => [...new Set(text.split(','))].sort())
    .pipe(z.array(z.enum(functionNames)))
    .prefault('avg')
    .describe(
      `What to work out, separated by commas: ${functionNames.join(', ')}. All but avg are exact to the digit.`,
    ),
  fields: fieldsParameter
    .optional()
    .describe('Names of fields, separated by commas. By default all that are numbers.'),
  timeZone: z
    .string()
    .max(64)
    .refine(isTimeZone, 'must be a time zone by its IANA name, such as Asia/Tokyo')
    .default('UTC')
    .describe('By whose clocks buckets begin, an IANA name such as Asia/Tokyo.'),
  wrapsAt: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .describe(
      'For increase: the value at which the counter goes back to 0, such as 1000000. A fall that is less than a tenth of it the other way round counts as that.',
    ),
  reset: z
    .enum(['zero', 'unknown'])
    .default('zero')
    .describe(
      'For increase, what any other fall means: the counter began again at 0 (its new value counts), or at an unknown value, as that of a meter that was replaced may (it counts for nothing).',
    ),
  ...pageQuery,
});

const answer = z.strictObject({
  buckets: z
    .array(
      z.strictObject({
        from: z.iso.datetime(),
        to: z.iso.datetime(),
        localFrom: z.iso
          .datetime({ offset: true })
          .describe('`from` by the clocks of the time zone.'),
        fields: z
          .record(z.string(), z.partialRecord(z.enum(functionNames), z.number().nullable()))
          .describe('Without the fields that nothing was reported for.'),
      }),
    )
    .describe('All buckets of the range, also those without readings.'),
  cursor: z
    .string()
    .optional()
    .describe('Gives the next page, also where this one is short; the last page has none.'),
});

/** What a cursor says: the range, and where the next page begins. */
const cursorPosition = z.tuple([z.int(), z.int(), z.int()]);

interface Asked {
  operationId: string;
  query: z.output<typeof query>;
  params: Record<string, unknown>;
  /** Whose readings count, and when. */
  periods: (range: TimeRange) => Promise<readonly Period[]>;
  budget: Budget;
  signal: AbortSignal;
  log: Logger;
}

const answers = {
  200: { description: 'A page of buckets, in order of time.', schema: answer },
} as const;

/** The same question of a device, a room and a place. */
export function getAggregates(options: GetAggregatesOptions): Route[] {
  return [deviceAggregates(options), roomAggregates(options), placeAggregates(options)];
}

function deviceAggregates(options: GetAggregatesOptions): Route {
  const operationId = 'getDeviceAggregates';
  return route({
    method: 'get',
    path: '/v1/devices/{id}/aggregates',
    operationId,
    summary: 'What the readings of a device came to, by the hour, day, …',
    tags: ['aggregates'],
    params: z.strictObject({ id: deviceId }),
    query,
    answers,
    problems: ['device-not-found'],
    handle: (call) => {
      const { id } = call.params;
      const periods = async () => {
        await options.readings.device(id);
        return [{ device: id, from: earliestInstant, to: latestInstant }];
      };
      return answerPage(options, { ...call, operationId, periods });
    },
  });
}

function roomAggregates(options: GetAggregatesOptions): Route {
  const operationId = 'getRoomAggregates';
  return route({
    method: 'get',
    path: '/v1/rooms/{place}/{room}/aggregates',
    operationId,
    summary:
      'What the readings taken in a room came to, also those of devices that have moved away',
    tags: ['aggregates'],
    params: z.strictObject({ place: placeId, room: roomId }),
    query,
    answers,
    problems: ['room-not-found'],
    handle: (call) => {
      const periods = (range: TimeRange) =>
        periodsThere(options, call, { ...call.params, ...range });
      return answerPage(options, { ...call, operationId, periods });
    },
  });
}

function placeAggregates(options: GetAggregatesOptions): Route {
  const operationId = 'getPlaceAggregates';
  return route({
    method: 'get',
    path: '/v1/places/{id}/aggregates',
    operationId,
    summary: 'What the readings taken at a place came to',
    tags: ['aggregates'],
    params: z.strictObject({ id: placeId }),
    query,
    answers,
    problems: ['place-not-found'],
    handle: (call) => {
      const { id: place } = call.params;
      const periods = (range: TimeRange) => periodsThere(options, call, { place, ...range });
      return answerPage(options, { ...call, operationId, periods });
    },
  });
}

async function periodsThere(
  { memberships }: GetAggregatesOptions,
  { budget, signal }: { budget: Budget; signal: AbortSignal },
  where: Scene & TimeRange,
): Promise<readonly Period[]> {
  const from = where.from - lookback;
  const { periods, units } = await memberships.overlapping({ ...where, from, signal });
  budget.charge(units);
  return periods;
}

async function answerPage({ cursors, summaries }: GetAggregatesOptions, asked: Asked) {
  const { operationId, params, periods, budget, signal, log } = asked;
  const { cursor, limit, ...parameters } = asked.query;
  const question = questionOf(operationId, { ...params, ...parameters });
  const { from, to, start } = startOf(asked.query, cursor && cursors.decode(question, cursor));
  const { every, timeZone, fn: functions, fields, wrapsAt, reset } = parameters;
  const edges = bucketEdges({ from: start, to, every, timeZone, limit });
  const buckets = await aggregate(summaries, {
    periods: await periods({ from, to }),
    edges,
    functions,
    fields: fields && new Set(fields),
    counter: { wrapsAt, reset },
    budget,
    signal,
    log,
  });
  const reached = buckets.at(-1)?.to ?? start;
  return {
    status: 200 as const,
    body: {
      buckets: buckets.map((bucket) => showBucket(bucket, timeZone)),
      cursor: reached < to ? cursors.encode(question, [from, to, reached]) : undefined,
    },
  };
}

function startOf(
  asked: { from?: number | undefined; to?: number | undefined },
  position?: unknown,
) {
  if (position === undefined || position === '') {
    const range = resolveRange(asked, Date.now());
    return { ...range, start: range.from };
  }
  const [from, to, start] = cursorPosition.parse(position);
  return { from, to, start };
}

function showBucket({ from, to, fields }: AggregateBucket, timeZone: string) {
  return {
    from: new Date(from),
    to: new Date(to),
    localFrom: localTime(from, timeZone),
    fields,
  };
}

import { Problem } from '@engawa/errors';
import { integerParameter, parsePosition, timeZoneParameter } from '@engawa/http';
import { z } from 'zod';
import { bucketEdges, hasFourDigitYear, localTimes, widths } from '../aggregates/calendar.ts';
import { chartWidth, fewestPoints } from '../aggregates/chart-width.ts';
import { functionNames, rateUnitsMs } from '../aggregates/functions.ts';
import { fillParameter } from '../parameters/fill-parameter.ts';
import { fieldNames, fieldsParameter } from '../parameters/fields-parameter.ts';
import { resolveRange } from '../parameters/resolve-range.ts';
import { groupings } from './period-groups.ts';
import { largestPage, seriesQuery } from './series-routes.ts';
import type { Column, Json } from '@engawa/http';
import type { AggregateBucket } from '../aggregates/aggregate.ts';
import type { RateUnit } from '../aggregates/functions.ts';
import type { Width } from '../aggregates/calendar.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { Grouping } from './period-groups.ts';
import type { Subject } from './subject.ts';

const parameters = z.strictObject({
  ...seriesQuery,
  every: z
    .enum(widths)
    .optional()
    .describe(
      'How wide a bucket is, by default PT1H. Buckets begin at full hours, days, Mondays, months, … of the time zone; the first and the last one are cut off at `from` and `to`.',
    ),
  maxPoints: integerParameter({ minimum: fewestPoints, maximum: largestPage })
    .optional()
    .describe(
      'In place of `every`, for a chart: the smallest step (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, year) of which the range has at most so many buckets. The answer says which, and has all buckets unless they cost more than a request may.',
    ),
  fn: z
    .string()
    .meta({ type: 'array', minItems: 1, items: { type: 'string', enum: [...functionNames] } })
    .transform((text) => [...new Set(text.split(','))].sort())
    .pipe(z.array(z.enum(functionNames)))
    .prefault('avg')
    .describe(
      `What to work out, separated by commas: ${functionNames.join(', ')}. All but the quotients (avg, rate, timeWeightedMean) are exact to the digit, and these are the nearest double. rate is increase by the length of the bucket; in timeWeightedMean a value holds until the next one, at most 24 hours.`,
    ),
  fields: fieldsParameter
    .optional()
    .describe(
      `${fieldNames}. By default all that are numbers. The columns of CSV; without it, CSV has those of each field in the range, which is read twice then.`,
    ),
  timeZone: timeZoneParameter.describe(
    'By whose clocks buckets begin, and dates and local times are: an IANA name such as Asia/Tokyo.',
  ),
  per: z
    .enum(Object.keys(rateUnitsMs) as [RateUnit, ...RateUnit[]])
    .default('second')
    .describe('For rate: what it is per. Of a counter of kWh, the rate per hour is kW.'),
  fill: fillParameter,
  wrapsAt: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .describe(
      'For increase and rate: the value at which the counter goes back to 0, such as 1000000. A fall that is less than a tenth of it the other way round counts as that.',
    ),
  reset: z
    .enum(['zero', 'unknown'])
    .default('zero')
    .describe(
      'For increase and rate, what any other fall means: the counter began again at 0 (its new value counts), or at an unknown value, as that of a meter that was replaced may (it counts for nothing).',
    ),
});

const grouping = z.enum(groupings).optional();

const groupingOf: Record<'room' | 'place', z.ZodOptional<z.ZodEnum>> = {
  room: z
    .enum(['device'])
    .optional()
    .describe(
      'Buckets for each device that was there, in place of those of all of them. `limit` counts the buckets of all groups.',
    ),
  place: grouping.describe(
    'Buckets for each device or room, in place of those of all of them. Readings that were taken in no room have a group whose `room` is null. `limit` counts the buckets of all groups.',
  ),
};

/** The parameters of aggregates. */
export function aggregatesQuery({ kind }: Subject) {
  const own = kind === 'device' ? parameters : parameters.extend({ groupBy: groupingOf[kind] });
  return own
    .refine(({ every, maxPoints }) => every === undefined || maxPoints === undefined, {
      path: ['maxPoints'],
      message: 'must not be given with query.every',
    })
    .refine(({ fill, fields }) => fill === 'none' || fields !== undefined, {
      path: ['fields'],
      message: 'must be given with query.fill',
    });
}

export type AggregatesQuery = z.output<typeof parameters> & { groupBy?: Grouping | undefined };

const shownBucket = z.strictObject({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  localFrom: z.iso.datetime({ offset: true }).describe('`from` by the clocks of the time zone.'),
  fields: z
    .record(z.string(), z.partialRecord(z.enum(functionNames), z.number().nullable()))
    .describe('Without the fields that nothing was reported for.'),
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'There, and true, where the bucket may lack readings: they may have expired before a rollup of their hour was made, or only a part of that hour is in the bucket.',
    ),
});

/** Of a room or a place, with the group that it is of. */
export function shownBucketOf({ kind }: Subject) {
  if (kind === 'device') return shownBucket;
  const device = z.string().optional().describe('With `groupBy=device`.');
  if (kind === 'room') return z.strictObject({ device, ...shownBucket.shape });
  const room = z
    .string()
    .nullable()
    .optional()
    .describe('With `groupBy=room`; null for what was taken in no room.');
  return z.strictObject({ device, room, ...shownBucket.shape });
}

/** What an answer says beside its buckets. */
export const shownHead = {
  every: z.enum(widths).describe('How wide the buckets are, also where `maxPoints` decided.'),
};

/** Shows buckets as they are in an answer, in order of time. */
export function bucketShower({ timeZone, groupBy }: AggregatesQuery) {
  const localTime = localTimes(timeZone);
  return ({ group, from, to, fields, isIncomplete }: AggregateBucket) => ({
    ...(groupBy && { [groupBy]: group ?? null }),
    from: new Date(from),
    to: new Date(to),
    localFrom: localTime(from),
    fields,
    ...(isIncomplete && { incomplete: true }),
  });
}

/** Where a page begins. The range is a part of it, since an end that is not given depends on when it was asked for. */
export interface BucketStart extends TimeRange {
  start: number;
  /** The last group whose first bucket was on the page before, where that ended between groups. */
  after?: { group: string | undefined } | undefined;
}

const cursorPosition = z
  .tuple([z.int(), z.int(), z.int(), z.string().nullable().optional()])
  .transform(([from, to, start, group]): BucketStart => {
    return {
      from,
      to,
      start,
      ...(group !== undefined && { after: { group: group ?? undefined } }),
    };
  });

/** @throws Problem `invalid-request` for a range that is none, or outside of the years that local times have */
export function firstBucket({ from, to, timeZone }: AggregatesQuery, now: number): BucketStart {
  const range = resolveRange({ from, to }, { now, timeZone });
  const ends = { from: range.from, to: Math.max(range.from, range.to - 1) };
  for (const [name, time] of Object.entries(ends)) {
    if (!hasFourDigitYear(time, timeZone)) throw outsideYears(`query.${name}`, timeZone);
  }
  return { ...range, start: range.from };
}

function outsideYears(path: string, timeZone: string): Problem {
  const message = `must be within the years 0000 to 9999 in ${timeZone}`;
  return new Problem('invalid-request', `${path} ${message}.`, { faults: [{ path, message }] });
}

export function bucketFrom(position: Json): BucketStart {
  return parsePosition(cursorPosition, position);
}

export function bucketPosition({ from, to, start, after }: BucketStart): Json {
  return after === undefined ? [from, to, start] : [from, to, start, after.group ?? null];
}

/** How wide the buckets of an answer are. */
export function widthOf(
  { every = 'PT1H', maxPoints, timeZone }: AggregatesQuery,
  range: TimeRange,
): Width {
  return maxPoints === undefined ? every : chartWidth(range, timeZone, maxPoints);
}

/** Where the buckets of a page begin and end. */
export function edgesOf(query: AggregatesQuery, where: BucketStart, limit: number): number[] {
  const { timeZone } = query;
  const { start: from, to } = where;
  return bucketEdges({ from, to, every: widthOf(query, where), timeZone, limit });
}

/** The columns of CSV: of which group and when the bucket is, whether it may lack readings, and each function of each field. */
export function bucketColumns(
  fields: readonly string[],
  { fn, groupBy }: AggregatesQuery,
): Column[] {
  const group = groupBy === undefined ? [] : [groupBy];
  return [
    ...[...group, 'from', 'to', 'localFrom', 'incomplete'].map((name): Column => ({
      name,
      of: (row) => row[name],
    })),
    ...fields.flatMap((field) =>
      fn.map((name): Column => ({
        name: `${field}.${name}`,
        of: (row) => {
          const values = row['fields'] as AggregateBucket['fields'];
          return Object.hasOwn(values, field) ? values[field]?.[name] : undefined;
        },
      })),
    ),
  ];
}

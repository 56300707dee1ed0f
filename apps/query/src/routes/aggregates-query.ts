import { integerParameter, parsePosition, timeZoneParameter } from '@engawa/http';
import { z } from 'zod';
import { bucketEdges, weekStarts, widths } from '../aggregates/calendar.ts';
import { chartWidth, minPoints } from '../aggregates/chart-width.ts';
import {
  functionNames,
  rateUnitsMs,
  stateFunctionNames,
  stateFunctionsOf,
} from '../aggregates/functions.ts';
import { fillParameter } from '../parameters/fill-parameter.ts';
import { fieldNames, fieldsParameter } from '../parameters/fields-parameter.ts';
import { maxAggregatedDays } from '../parameters/resolve-range.ts';
import { groupings } from './period-groups.ts';
import { maxPageSize, seriesQuery } from './series.ts';
import type { JsonValue } from '@engawa/http';
import type { RateUnit } from '../aggregates/functions.ts';
import type { Width } from '../aggregates/calendar.ts';
import type { TimeRange } from '../time-range.ts';
import type { Grouping } from './period-groups.ts';
import type { Subject } from './subject.ts';

const allFunctions = [...functionNames, ...stateFunctionNames] as const;

const parameters = z.strictObject({
  ...seriesQuery,
  to: seriesQuery.to.describe(
    `Readings before this time, in the same forms, at most ${maxAggregatedDays} days after \`from\`. By default now.`,
  ),
  every: z
    .enum(widths)
    .optional()
    .describe(
      'The width of a bucket, by default PT1H. Buckets begin at full seconds, minutes, hours, days, weeks, months, quarters (P3M), years of the time zone; the first bucket begins at `from`, and the last bucket ends at `to`.',
    ),
  weekStart: z
    .enum(weekStarts)
    .optional()
    .describe('The first day of the weeks of P1W, by default monday (ISO 8601).'),
  maxPoints: integerParameter({ minimum: minPoints, maximum: maxPageSize })
    .optional()
    .describe(
      'Instead of `every`, for a chart: selects the smallest width (1, 2, 5, 10, 15, 30 minutes, 1, 2, 3, 6, 12 hours, a day, week, month, quarter, year) with at most this many buckets in the range. The response names the width, and has all buckets unless they exceed the limits of one request.',
    ),
  fn: z
    .string()
    .meta({ type: 'array', minItems: 1, items: { type: 'string', enum: [...allFunctions] } })
    .transform((text) => [...new Set(text.split(','))].sort())
    .pipe(z.array(z.enum(allFunctions)))
    .prefault('avg')
    .describe(
      `Functions, separated by commas: ${allFunctions.join(', ')}. avg, rate and timeWeightedMean are the nearest double, percentiles are within 1 %, all others are exact. rate is the increase divided by the length of the bucket; an increase counts from the last value before the bucket, however old it is. In timeWeightedMean a value lasts until the next value, at most 24 hours and until now, also in buckets without a reading. duration, share and changes need \`fields\`, and are for values of any kind, such as true, false and texts: how long the field had each value, and how many times it changed. There a value lasts until the next one, without a limit, and until now.`,
    ),
  fields: fieldsParameter
    .optional()
    .describe(
      `${fieldNames}. By default all numeric fields. Determines the columns of CSV. Without \`fields\`, CSV has columns for each field in the range, and the range is read twice; it must not exceed the limits of one request.`,
    ),
  timeZone: timeZoneParameter.describe(
    'The time zone of buckets, dates and local times: an IANA name such as Asia/Tokyo.',
  ),
  per: z
    .enum(Object.keys(rateUnitsMs) as [RateUnit, ...RateUnit[]])
    .default('second')
    .describe('The time unit of rate. For a counter of kWh, the rate per hour is kW.'),
  fill: fillParameter,
  wrapsAt: z
    .string()
    .regex(/^\d{1,15}$/, 'must be a whole number')
    .transform(Number)
    .optional()
    .describe(
      'For increase and rate: the value at which the counter overflows to 0, such as 1000000. A fall counts as an overflow if the resulting increase is less than a tenth of `wrapsAt`.',
    ),
  reset: z
    .enum(['zero', 'unknown'])
    .default('zero')
    .describe(
      'For increase and rate, the meaning of any other fall: the counter restarted at 0 (its new value counts), or at an unknown value, as after the replacement of a meter (its new value does not count).',
    ),
});

const grouping = z.enum(groupings).optional();

const groupingOf: Record<'room' | 'place', z.ZodOptional<z.ZodEnum>> = {
  room: z
    .enum(['device'])
    .optional()
    .describe(
      'Returns buckets per device instead of buckets over all devices. `limit` counts the buckets of all groups.',
    ),
  place: grouping.describe(
    'Returns buckets per device or per room instead of buckets over all devices. Readings taken in no room have a group whose `room` is null. `limit` counts the buckets of all groups.',
  ),
};

/** The query parameters of aggregates. */
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
    })
    .refine(({ fn, fields }) => fields !== undefined || stateFunctionsOf(fn).length === 0, {
      path: ['fields'],
      message: `must be given with ${stateFunctionNames.join(', ')} of query.fn`,
    });
}

export type AggregatesQuery = z.output<typeof parameters> & { groupBy?: Grouping | undefined };

/** The beginning of a page. Includes the range, since a default end depends on the time of the request. */
export interface BucketStart extends TimeRange {
  start: number;
  /** The last group with its first bucket on the page before, where that page ended between groups. */
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

export function bucketFrom(position: JsonValue): BucketStart {
  return parsePosition(cursorPosition, position);
}

export function bucketPosition({ from, to, start, after }: BucketStart): JsonValue {
  return after === undefined ? [from, to, start] : [from, to, start, after.group ?? null];
}

/** The width of the buckets of a response. */
export function widthOf(
  { every = 'PT1H', maxPoints, ...calendar }: AggregatesQuery,
  range: TimeRange,
): Width {
  return maxPoints === undefined ? every : chartWidth(range, calendar, maxPoints);
}

/** The boundaries of the buckets of a page. */
export function edgesOf(query: AggregatesQuery, where: BucketStart, limit: number): number[] {
  const { timeZone, weekStart } = query;
  const { start: from, to } = where;
  return bucketEdges({ from, to, every: widthOf(query, where), timeZone, weekStart, limit });
}

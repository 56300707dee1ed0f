import { integerParameter, parsePosition, timeZoneParameter } from '@engawa/http';
import { z } from 'zod';
import { bucketEdges, localTimes, weekStarts, widths } from '../aggregates/calendar.ts';
import { chartWidth, minPoints } from '../aggregates/chart-width.ts';
import { functionNames, rateUnitsMs } from '../aggregates/functions.ts';
import { fillParameter } from '../parameters/fill-parameter.ts';
import { fieldNames, fieldsParameter } from '../parameters/fields-parameter.ts';
import { maxAggregatedDays } from '../parameters/resolve-range.ts';
import { groupings } from './period-groups.ts';
import { maxPageSize, seriesQuery } from './series-routes.ts';
import type { Column, JsonValue } from '@engawa/http';
import type { AggregateBucket } from '../aggregates/aggregate.ts';
import type { RateUnit } from '../aggregates/functions.ts';
import type { Width } from '../aggregates/calendar.ts';
import type { TimeRange } from '../time-range.ts';
import type { Grouping } from './period-groups.ts';
import type { Subject } from './subject.ts';

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
    .meta({ type: 'array', minItems: 1, items: { type: 'string', enum: [...functionNames] } })
    .transform((text) => [...new Set(text.split(','))].sort())
    .pipe(z.array(z.enum(functionNames)))
    .prefault('avg')
    .describe(
      `Functions, separated by commas: ${functionNames.join(', ')}. avg, rate and timeWeightedMean are the nearest double, percentiles are within 1 %, all others are exact. rate is the increase divided by the length of the bucket; an increase counts from the last value before the bucket, however old it is. In timeWeightedMean a value lasts until the next value, at most 24 hours and until now, also in buckets without a reading.`,
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
    });
}

export type AggregatesQuery = z.output<typeof parameters> & { groupBy?: Grouping | undefined };

const noteCodes = ['no-numbers'] as const;

const bucketOutput = z.strictObject({
  from: z.iso.datetime(),
  to: z.iso.datetime(),
  localFrom: z.iso.datetime({ offset: true }).describe('`from` in local time of the time zone.'),
  fields: z
    .record(z.string(), z.partialRecord(z.enum(functionNames), z.number().nullable()))
    .describe(
      'Only fields that were reported; with timeWeightedMean also fields of which an earlier value lasts in the bucket, without other functions.',
    ),
  notes: z
    .array(z.strictObject({ code: z.enum(noteCodes), field: z.string() }))
    .optional()
    .describe(
      'Why a field is absent. `no-numbers`: it has values in the bucket, but none is a number (texts, true, false). For the requested fields; without `fields`, only in a bucket without any number. Absent without such fields, in CSV, and where the bucket comes from rollups that were stored by 0.2.0.',
    ),
  incomplete: z
    .literal(true)
    .optional()
    .describe(
      'Present, and true, if the bucket may lack expired readings (no rollup of their hour was computed before, or only a part of that hour is in the bucket), or if an older value that counts was not found.',
    ),
});

/** A bucket of a room or a place, with its group. */
export function bucketOutputOf({ kind }: Subject) {
  if (kind === 'device') return bucketOutput;
  const device = z.string().optional().describe('With `groupBy=device`.');
  if (kind === 'room') return z.strictObject({ device, ...bucketOutput.shape });
  const room = z
    .string()
    .nullable()
    .optional()
    .describe('With `groupBy=room`; null for readings taken in no room.');
  return z.strictObject({ device, room, ...bucketOutput.shape });
}

/** The properties of a response beside its buckets. */
export const headOutput = {
  every: z.enum(widths).describe('The width of the buckets, also if `maxPoints` has selected it.'),
};

/** Returns a function that formats buckets for a response, in order of time. */
export function bucketShower({ timeZone, groupBy }: AggregatesQuery) {
  const localTime = localTimes(timeZone);
  let end = { time: NaN, text: '' };
  return ({ group, from, to, fields, withoutNumbers, isIncomplete }: AggregateBucket) => {
    // Texts: JSON.stringify takes twice as long for a Date. A bucket begins at the end of the one before.
    const start = from === end.time ? end.text : new Date(from).toISOString();
    if (to !== end.time) end = { time: to, text: new Date(to).toISOString() };
    return {
      ...(groupBy && { [groupBy]: group ?? null }),
      from: start,
      to: end.text,
      localFrom: localTime(from),
      fields,
      ...(withoutNumbers.length > 0 && {
        notes: withoutNumbers.map((field) => ({ code: noteCodes[0], field })),
      }),
      ...(isIncomplete && { incomplete: true }),
    };
  };
}

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

/** The columns of CSV: group, time, completeness, and each function of each field. */
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

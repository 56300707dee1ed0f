import { aggregatesPage } from './aggregates-page.ts';
import { aggregatesQuery, bucketFrom, bucketPosition, widthOf } from './aggregates-query.ts';
import { bucketColumns, bucketOutputOf, headOutput } from './bucket-output.ts';
import { seriesRoutes } from './series-routes.ts';
import { maxPageSize } from './series.ts';
import { Problem } from '@engawa/errors';
import { bucketEdges, hasFourDigitYear } from '../aggregates/calendar.ts';
import { maxAggregatedDays, resolveRange } from '../parameters/resolve-range.ts';
import type { Route } from '@engawa/http';
import type { AggregateSource } from '../aggregates/aggregate-request.ts';
import type { AggregatesQuery, BucketStart } from './aggregates-query.ts';
import type { SeriesOptions } from './series-routes.ts';
import type { Series } from './series.ts';
import type { Subject } from './subject.ts';

export interface GetAggregatesOptions extends SeriesOptions {
  aggregates: AggregateSource;
}

const summaries: Record<Subject['kind'], string> = {
  device: 'Aggregates of the readings of a device, by the hour, day, …',
  room: 'Aggregates of the readings taken in a room, including those of devices that have moved away',
  place:
    'Aggregates of the readings taken at a place, including those of devices that have moved away',
};

/** Aggregates of the readings of a device, a room and a place. */
export function getAggregates(options: GetAggregatesOptions): Route[] {
  const aggregates: Series<AggregatesQuery, BucketStart> = {
    name: 'aggregates',
    isComputed: true,
    summary: ({ kind }) => summaries[kind],
    description:
      'A page of buckets, in order of time, including empty ones. A page may have no bucket and still a cursor: the request computed a part of a bucket that exceeds the limits of one request, and the next page continues.',
    query: aggregatesQuery,
    element: bucketOutputOf,
    head: { schema: headOutput, of: (query, range) => ({ every: widthOf(query, range) }) },
    usualLimit: ({ maxPoints, groupBy }) => (groupBy && maxPoints ? maxPageSize : maxPoints),
    columns: (query, _, fields) => bucketColumns(fields, query),
    firstStart: firstBucket,
    startFrom: bucketFrom,
    positionOf: bucketPosition,
    beginning: ({ from, to }) => ({ from, to, start: from }),
    page: (subject, call, where, limit) =>
      aggregatesPage(options.aggregates, subject, { call, where, limit }),
  };
  return seriesRoutes(options, aggregates);
}

/**
 * The first bucket of a request.
 * @throws Problem `invalid-request` for an invalid range, one outside of the years 0000 to 9999 in local time, or one
 * of more years than `maxPoints`
 */
function firstBucket(query: AggregatesQuery, now: number): BucketStart {
  const { from, to, timeZone, maxPoints } = query;
  const range = resolveRange({ from, to }, { now, timeZone }, maxAggregatedDays);
  const ends = { from: range.from, to: Math.max(range.from, range.to - 1) };
  for (const [name, time] of Object.entries(ends)) {
    if (!hasFourDigitYear(time, timeZone)) {
      throw refusal(`query.${name}`, `must be within the years 0000 to 9999 in ${timeZone}`);
    }
  }
  if (maxPoints !== undefined) {
    const years = bucketEdges({ ...range, every: 'P1Y', timeZone, limit: maxPoints + 1 });
    if (years.length > maxPoints + 1) {
      throw refusal('query.maxPoints', 'must be at least the number of years in the range');
    }
  }
  return { ...range, start: range.from };
}

function refusal(path: string, message: string): Problem {
  return new Problem('invalid-request', `${path} ${message}.`, {
    fieldErrors: [{ path, message }],
  });
}

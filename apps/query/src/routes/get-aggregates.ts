import { aggregatesPage } from './aggregates-page.ts';
import {
  aggregatesQuery,
  bucketColumns,
  bucketFrom,
  bucketPosition,
  firstBucket,
  shownBucketOf,
  shownHead,
  widthOf,
} from './aggregates-query.ts';
import { largestPage, seriesRoutes } from './series-routes.ts';
import type { Route } from '@engawa/http';
import type { DeviceSummaries } from '../aggregates/device-summaries.ts';
import type { AggregatesQuery, BucketStart } from './aggregates-query.ts';
import type { Series, SeriesOptions } from './series-routes.ts';
import type { Subject } from './subject.ts';

export interface GetAggregatesOptions extends SeriesOptions {
  summaries: DeviceSummaries;
}

const summaries: Record<Subject['kind'], string> = {
  device: 'What the readings of a device came to, by the hour, day, …',
  room: 'What the readings taken in a room came to, also those of devices that have moved away',
  place: 'What the readings taken at a place came to, also those of devices that have moved away',
};

/** What the readings of a device, those taken in a room, and those taken at a place came to. */
export function getAggregates(options: GetAggregatesOptions): Route[] {
  const aggregates: Series<AggregatesQuery, BucketStart> = {
    name: 'aggregates',
    summary: ({ kind }) => summaries[kind],
    description:
      'A page of buckets, in order of time, also those without readings. A page may have no bucket and still a cursor: it has worked out a part of one that takes more than a request may cost, and the next page goes on.',
    query: aggregatesQuery,
    element: shownBucketOf,
    head: { schema: shownHead, of: (query, range) => ({ every: widthOf(query, range) }) },
    usualLimit: ({ maxPoints, groupBy }) => (groupBy && maxPoints ? largestPage : maxPoints),
    columns: (query, _, fields) => bucketColumns(fields, query),
    firstStart: firstBucket,
    startFrom: bucketFrom,
    positionOf: bucketPosition,
    beginning: ({ from, to }) => ({ from, to, start: from }),
    page: (whose, call, where, limit) =>
      aggregatesPage(options.summaries, whose, { call, where, limit }),
  };
  return seriesRoutes(options, aggregates);
}

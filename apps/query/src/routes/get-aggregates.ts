import { earliestInstant, latestInstant } from '@engawa/keys';
import { aggregate } from '../aggregates/aggregate.ts';
import { lookback } from '../aggregates/increases.ts';
import {
  aggregatesQuery,
  bucketColumns,
  bucketFrom,
  bucketPosition,
  bucketShower,
  edgesOf,
  firstBucket,
  shownBucket,
  shownHead,
  widthOf,
} from './aggregates-query.ts';
import { seriesRoutes } from './series-routes.ts';
import type { Route } from '@engawa/http';
import type { DeviceSummaries } from '../aggregates/device-summaries.ts';
import type { TimeRange } from '../readings/merge-blocks.ts';
import type { AggregatesQuery, BucketStart } from './aggregates-query.ts';
import type { Series, SeriesOptions } from './series-routes.ts';
import type { Means } from '../visible-readings.ts';
import type { Whose } from './whose.ts';

export interface GetAggregatesOptions extends SeriesOptions {
  summaries: DeviceSummaries;
}

const summaries: Record<Whose['kind'], string> = {
  device: 'What the readings of a device came to, by the hour, day, …',
  room: 'What the readings taken in a room came to, also those of devices that have moved away',
  place: 'What the readings taken at a place came to, also those of devices that have moved away',
};

/** What the readings of a device, those taken in a room, and those taken at a place came to. */
export function getAggregates(options: GetAggregatesOptions): Route[] {
  const aggregates: Series<AggregatesQuery, BucketStart> = {
    name: 'aggregates',
    listName: 'buckets',
    summary: ({ kind }) => summaries[kind],
    description:
      'A page of buckets, in order of time, also those without readings. A page may have no bucket and still a cursor: it has worked out a part of one that takes more than a request may cost, and the next page goes on.',
    query: aggregatesQuery,
    element: () => shownBucket,
    head: { schema: shownHead, of: (query, range) => ({ every: widthOf(query, range) }) },
    usualLimit: ({ maxPoints }) => maxPoints,
    columns: (query, _, fields) => bucketColumns(fields, query),
    firstStart: firstBucket,
    startFrom: bucketFrom,
    positionOf: bucketPosition,
    page: async (whose, { params, query, log, ...means }, where, limit) => {
      const { from, to, start } = where;
      const buckets = await aggregate(options.summaries, {
        periods: await periodsOf(whose, params, { from, to }, means),
        edges: edgesOf(query, where, limit),
        from,
        functions: query.fn,
        fields: query.fields && new Set(query.fields),
        rateUnit: query.per,
        counter: { wrapsAt: query.wrapsAt, reset: query.reset },
        budget: means.budget,
        signal: means.signal,
        log,
      });
      const reached = buckets.at(-1)?.to ?? start;
      const elements = buckets.map(bucketShower(query));
      return { elements, next: reached < to ? { from, to, start: reached } : undefined };
    },
  };
  return seriesRoutes(options, aggregates);
}

/** Also from before the range: what a counter rose by begins with its last value there. */
async function periodsOf(whose: Whose, params: unknown, range: TimeRange, means: Means) {
  const from = Math.max(earliestInstant, range.from - lookback);
  const to = Math.min(latestInstant, range.to);
  return whose.periods(params, { from, to }, means);
}

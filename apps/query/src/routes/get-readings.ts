import { deviceReadingOutput, readingOutput, showReading } from '../schemas.ts';
import { columnsOf, firstStart, positionOf, readingsQuery, startFrom } from './readings-query.ts';
import { seriesRoutes } from './series-routes.ts';
import type { Route } from '@engawa/http';
import type { ReadingsQuery, PageStart } from './readings-query.ts';
import type { SeriesOptions } from './series-routes.ts';
import type { Series } from './series.ts';
import type { ReadingStore } from '../readings/reading-store.ts';
import type { Subject } from './subject.ts';

const summaries: Record<Subject['kind'], string> = {
  device: 'The readings of a device in a range of time',
  room: 'The readings taken in a room, including those of devices that have moved away',
  place: 'The readings taken at a place, including those of devices that have moved away',
};

export interface GetReadingsOptions extends SeriesOptions {
  readings: ReadingStore;
}

/** The readings of a device, a room and a place. */
export function getReadings(options: GetReadingsOptions): Route[] {
  const isOfSeveral = ({ kind }: Subject) => kind !== 'device';
  const readings: Series<ReadingsQuery, PageStart> = {
    name: 'readings',
    isComputed: false,
    summary: ({ kind }) => summaries[kind],
    description: 'A page of readings, in order of time.',
    query: () => readingsQuery,
    element: (subject) => (isOfSeveral(subject) ? deviceReadingOutput : readingOutput),
    columns: (_, subject, fields) => columnsOf(fields, isOfSeveral(subject)),
    firstStart,
    startFrom,
    positionOf,
    beginning: ({ from, to }) => ({ from, to }),
    page: async (subject, { params, query, ...limits }, { from, to, start }, limit) => {
      const { order, fields } = query;
      const { budget, signal } = limits;
      const page = await options.readings.page({
        periods: await subject.periods(params, { from, to }, limits),
        from,
        to,
        start,
        order,
        fields: fields && new Set(fields),
        limit,
        budget,
        signal,
      });
      const elements = page.readings.map((reading) => {
        const { device } = reading;
        return { ...(isOfSeveral(subject) && { device }), ...showReading(reading) };
      });
      return {
        elements,
        next: page.next && { from, to, start: page.next },
        startAfter: (count) => ({ from, to, start: page.startAfter(count) }),
      };
    },
  };
  return seriesRoutes(options, readings);
}

import {
  integerParameter,
  listQuery,
  timeForms,
  timeParameter,
  timeZoneParameter,
} from '@engawa/http';
import { maxRangeDays } from '../parameters/resolve-range.ts';
import type { ClientWork, Column, JsonValue } from '@engawa/http';
import type { Logger } from 'pino';
import type { z } from 'zod';
import type { RequestLimits } from '../visible-readings.ts';
import type { Subject } from './subject.ts';

/** Page sizes. */
export const defaultPageSize = 100;
export const maxPageSize = 1000;

/** The query parameters of every series: spread it into its schema. */
export const seriesQuery = {
  from: timeParameter
    .optional()
    .describe(`Readings from this time on: ${timeForms}. By default 24 hours before \`to\`.`),
  to: timeParameter
    .optional()
    .describe(
      `Readings before this time, in the same forms, at most ${maxRangeDays} days after \`from\`. By default now.`,
    ),
  timeZone: timeZoneParameter.describe(
    'The time zone of dates and local times: an IANA name such as Asia/Tokyo.',
  ),
  limit: integerParameter({ minimum: 1, maximum: maxPageSize })
    .optional()
    .describe(
      `Maximum number of elements. A page may have fewer elements and still a cursor. By default ${defaultPageSize} on a page; unlimited in NDJSON and CSV.`,
    ),
  cursor: listQuery.cursor,
  resumable: listQuery.resumable,
};

export type SeriesQuery = z.output<z.ZodObject<typeof seriesQuery>> & {
  fields?: string[] | undefined;
};

export interface SeriesCall<Query> extends RequestLimits {
  work: ClientWork;
  params: unknown;
  query: Query;
  log: Logger;
}

/** A page of a series, and the beginning of the next one. */
export interface SeriesPage<Start> {
  elements: Record<string, unknown>[];
  next: Start | undefined;
  /** Computes further properties of a response that is no stream of rows, beside those of `Series.head`. */
  head?: () => Promise<Record<string, unknown>>;
  /** The beginning of the next page if this one ends after fewer elements, at least one. */
  startAfter: (count: number) => Start;
}

/** A resource in order of time that devices, rooms and places have: readings, aggregates. */
export interface Series<Query extends SeriesQuery, Start> {
  /** The last segment of the path, and a part of the operation ids. */
  name: string;
  /** Whether a page takes much more memory than its elements. */
  isComputed: boolean;
  summary: (subject: Subject) => string;
  description: string;
  query: (subject: Subject) => z.ZodObject;
  element: (subject: Subject) => z.ZodType;
  /** Further properties of the response, and their schema. */
  head?: { schema: z.ZodRawShape; of: (query: Query, start: Start) => Record<string, unknown> };
  /** Default page size; `defaultPageSize` where absent. */
  usualLimit?: (query: Query) => number | undefined;
  /** The columns of CSV for these fields. */
  columns: (query: Query, subject: Subject, fields: readonly string[]) => Column[];
  /** The beginning of the first page; `now` in epoch milliseconds. */
  firstStart: (query: Query, now: number) => Start;
  startFrom: (position: JsonValue) => Start;
  positionOf: (start: Start) => JsonValue;
  /** The beginning of the first page of the same range. */
  beginning: (start: Start) => Start;
  page: (
    subject: Subject,
    call: SeriesCall<Query>,
    start: Start,
    limit: number,
  ) => Promise<SeriesPage<Start>>;
}

/** Computes a page that may need much memory once the client has a slot for it. */
export function heldPage<Result>(
  { isComputed }: Pick<Series<never, never>, 'isComputed'>,
  { work }: Pick<SeriesCall<unknown>, 'work'>,
  limit: number,
  compute: () => Promise<Result>,
): Promise<Result> {
  return isComputed || limit > defaultPageSize ? work.holdPage(compute) : compute();
}

import {
  fittingText,
  integerParameter,
  listQuery,
  cursorContext,
  route,
  timeForms,
  timeParameter,
  timeZoneParameter,
} from '@engawa/http';
import { z } from 'zod';
import { maxRangeDays } from '../parameters/resolve-range.ts';
import { allRows, fieldsIn } from './series-rows.ts';
import { subjects } from './subject.ts';
import type { ClientWork, Column, CursorCodec, JsonValue, Route } from '@engawa/http';
import type { Logger } from 'pino';
import type { RequestLimits } from '../visible-readings.ts';
import type { Subject, SubjectOptions } from './subject.ts';

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

export interface SeriesOptions extends SubjectOptions {
  cursors: CursorCodec;
}

/** The routes of a series: in pages, or streamed as rows. */
export function seriesRoutes<Query extends SeriesQuery, Start>(
  options: SeriesOptions,
  series: Series<Query, Start>,
): Route[] {
  return subjects(options).map((subject) => seriesRoute(options.cursors, series, subject));
}

function seriesRoute<Query extends SeriesQuery, Start>(
  cursors: CursorCodec,
  series: Series<Query, Start>,
  subject: Subject,
): Route {
  const { name, summary, description, head } = series;
  const operationId = operationOf(name, subject);
  const element = series.element(subject);
  // The schema has made a Query of the parameters.
  const typed = (call: SeriesCall<unknown>) => call as SeriesCall<Query>;
  const parametersOf = ({ params, query }: SeriesCall<Query>) =>
    cursorContext(operationId, { ...(params as object), ...(query as object) });
  const startOf = startReader(series, (call, cursor) => cursors.decode(parametersOf(call), cursor));
  return route({
    method: 'get',
    path: `${subject.path}/${name}`,
    operationId,
    summary: summary(subject),
    tags: [name],
    params: subject.params,
    query: series.query(subject),
    responses: { 200: { description, schema: answerOf(element, head?.schema) } },
    problems: [subject.problem],
    filtersByPlace: true,
    rows: {
      schema: element,
      columns: async (call) => {
        const { query } = typed(call);
        const start = startOf(typed(call));
        // A resumed export keeps its columns.
        const first = query.resumable ? series.beginning(start) : start;
        const names = query.fields ?? (await fieldsIn(series, subject, typed(call), first));
        return series.columns(query, subject, names);
      },
      each: (call) =>
        allRows(series, subject, typed(call), startOf(typed(call)), (start) =>
          cursors.encode(parametersOf(typed(call)), series.positionOf(start)),
        ),
    },
    handle: async (given) => {
      const call = typed(given);
      const start = startOf(call);
      const limit = call.query.limit ?? series.usualLimit?.(call.query) ?? defaultPageSize;
      const { items, next, own } = await heldPage(series, call, limit, async () =>
        fittingPage(call, await series.page(subject, call, start, limit)),
      );
      const cursor = next && cursors.encode(parametersOf(call), series.positionOf(next));
      return { status: 200, body: { ...head?.of(call.query, start), ...own, items, cursor } };
    },
  });
}

/** The first elements of a page, as JSON within the limit of bytes, and the beginning of the next page. */
async function fittingPage<Start>(
  { work, budget }: SeriesCall<unknown>,
  { elements, next, head, startAfter }: SeriesPage<Start>,
) {
  const { text, count } = await work.run(fittingText(elements, budget.maxBytes));
  return {
    items: text,
    next: count < elements.length ? startAfter(count) : next,
    own: await head?.(),
  };
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

/** Resolves the beginning of a request, once per request, so that `now` means one moment. */
function startReader<Query extends SeriesQuery, Start>(
  series: Series<Query, Start>,
  decode: (call: SeriesCall<Query>, cursor: string) => JsonValue,
): (call: SeriesCall<Query>) => Start {
  const starts = new WeakMap<SeriesCall<Query>, { start: Start }>();
  const resolve = (call: SeriesCall<Query>) => {
    const { cursor } = call.query;
    if (cursor === undefined) return series.firstStart(call.query, Date.now());
    return series.startFrom(decode(call, cursor));
  };
  return (call) => {
    const known = starts.get(call) ?? { start: resolve(call) };
    starts.set(call, known);
    return known.start;
  };
}

/** `getReadings` (of a device), `getRoomReadings`, `getPlaceReadings`. */
function operationOf(name: string, { kind }: Subject): string {
  const capital = (text: string) => text.charAt(0).toUpperCase() + text.slice(1);
  return `get${kind === 'device' ? '' : capital(kind)}${capital(name)}`;
}

function answerOf(element: z.ZodType, head: z.ZodRawShape = {}) {
  return z.strictObject({
    ...head,
    items: z.array(element).describe('In order of time.'),
    cursor: z
      .string()
      .optional()
      .describe('Cursor of the next page, also if this page is short; absent on the last page.'),
  });
}

import { Problem } from '@engawa/errors';
import {
  integerParameter,
  listQuery,
  questionOf,
  resumableRows,
  route,
  timeForms,
  timeParameter,
  timeZoneParameter,
} from '@engawa/http';
import { z } from 'zod';
import { longestRangeDays } from '../parameters/resolve-range.ts';
import { subjects } from './subject.ts';
import type { Column, CursorCodec, Json, Route } from '@engawa/http';
import type { Logger } from 'pino';
import type { RequestLimits } from '../visible-readings.ts';
import type { Subject, SubjectOptions } from './subject.ts';

/** Elements on a page, unless asked otherwise, and at most. */
export const usualPage = 100;
export const largestPage = 1000;

/** Fields that CSV has columns for without being asked: names come from devices, and are kept until all are known. */
const mostColumns = 1000;

/** What every series can be asked for: spread it into its query schema. */
export const seriesQuery = {
  from: timeParameter
    .optional()
    .describe(`Readings from this time on: ${timeForms}. By default 24 hours before \`to\`.`),
  to: timeParameter
    .optional()
    .describe(
      `Readings before this time, in the same forms, at most ${longestRangeDays} days after \`from\`. By default now.`,
    ),
  timeZone: timeZoneParameter.describe(
    'By whose clocks dates and local times are: an IANA name such as Asia/Tokyo.',
  ),
  limit: integerParameter({ minimum: 1, maximum: largestPage })
    .optional()
    .describe(
      `How many to give at most; a page may hold fewer and still have a next one. By default ${usualPage} on a page; all, row by row.`,
    ),
  cursor: listQuery.cursor,
  resumable: listQuery.resumable,
};

type SeriesQuery = z.output<z.ZodObject<typeof seriesQuery>> & { fields?: string[] | undefined };

export interface SeriesCall<Query> extends RequestLimits {
  params: unknown;
  query: Query;
  log: Logger;
}

/** A page of a series, and where the next one begins. */
export interface SeriesPage<Start> {
  elements: Record<string, unknown>[];
  next: Start | undefined;
}

/** Something in order of time that can be asked of a device, a room and a place. */
export interface Series<Query extends SeriesQuery, Start> {
  /** The last part of the address, and what the operations are named for. */
  name: string;
  summary: (whose: Subject) => string;
  description: string;
  query: (whose: Subject) => z.ZodObject;
  element: (whose: Subject) => z.ZodType;
  /** What an answer says beside its list, and its schema. */
  head?: { schema: z.ZodRawShape; of: (query: Query, start: Start) => Record<string, unknown> };
  /** On a page, unless asked otherwise; `usualPage` where it is not given. */
  usualLimit?: (query: Query) => number | undefined;
  /** Of CSV, for these fields. */
  columns: (query: Query, whose: Subject, fields: readonly string[]) => Column[];
  /** Where the first page begins; `now` is in epoch milliseconds. */
  firstStart: (query: Query, now: number) => Start;
  startFrom: (position: Json) => Start;
  positionOf: (start: Start) => Json;
  /** The first page of the range that a start is in. */
  beginning: (start: Start) => Start;
  page: (
    whose: Subject,
    call: SeriesCall<Query>,
    start: Start,
    limit: number,
  ) => Promise<SeriesPage<Start>>;
}

export interface SeriesOptions extends SubjectOptions {
  cursors: CursorCodec;
}

/** Its routes: page by page, or row by row. */
export function seriesRoutes<Query extends SeriesQuery, Start>(
  options: SeriesOptions,
  series: Series<Query, Start>,
): Route[] {
  return subjects(options).map((whose) => seriesRoute(options.cursors, series, whose));
}

function seriesRoute<Query extends SeriesQuery, Start>(
  cursors: CursorCodec,
  series: Series<Query, Start>,
  whose: Subject,
): Route {
  const { name, summary, description, head } = series;
  const operationId = operationOf(name, whose);
  const element = series.element(whose);
  // The schema is what makes a Query of what was given.
  const typed = (call: SeriesCall<unknown>) => call as SeriesCall<Query>;
  const asked = ({ params, query }: SeriesCall<Query>) =>
    questionOf(operationId, { ...(params as object), ...(query as object) });
  const startOf = startReader(series, (call, cursor) => cursors.decode(asked(call), cursor));
  return route({
    method: 'get',
    path: `${whose.path}/${name}`,
    operationId,
    summary: summary(whose),
    tags: [name],
    params: whose.params,
    query: series.query(whose),
    answers: { 200: { description, schema: answerOf(element, head?.schema) } },
    problems: [whose.problem],
    keepsToPlaces: true,
    rows: {
      schema: element,
      columns: async (call) => {
        const { query } = typed(call);
        const start = startOf(typed(call));
        // What is resumed has the columns that it had.
        const first = query.resumable ? series.beginning(start) : start;
        const all = () => allRows(series, whose, typed(call), first);
        return series.columns(query, whose, query.fields ?? (await fieldsIn(all())));
      },
      each: (call) =>
        allRows(series, whose, typed(call), startOf(typed(call)), (start) =>
          cursors.encode(asked(typed(call)), series.positionOf(start)),
        ),
    },
    handle: async (given) => {
      const call = typed(given);
      const start = startOf(call);
      const limit = call.query.limit ?? series.usualLimit?.(call.query) ?? usualPage;
      const { elements, next } = await series.page(whose, call, start, limit);
      const cursor = next && cursors.encode(asked(call), series.positionOf(next));
      return {
        status: 200,
        body: { ...head?.of(call.query, start), items: elements, cursor },
      };
    },
  });
}

/** Where a request begins. Resolved once for each, or `now` would mean two moments in it. */
function startReader<Query extends SeriesQuery, Start>(
  series: Series<Query, Start>,
  decode: (call: SeriesCall<Query>, cursor: string) => Json,
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

/** All elements from the start on, as many as are asked for outright; page by page, each with means of its own. */
async function* allRows<Query extends SeriesQuery, Start>(
  series: Series<Query, Start>,
  whose: Subject,
  call: SeriesCall<Query>,
  first: Start,
  cursorOf?: (start: Start) => string,
): AsyncGenerator<Record<string, unknown>> {
  let { budget } = call;
  let left = call.query.limit ?? Infinity;
  let start: Start | undefined = first;
  while (start !== undefined && left > 0) {
    const limit = Math.min(left, largestPage);
    const page: SeriesPage<Start> = await series.page(whose, { ...call, budget }, start, limit);
    start = page.next;
    const cursor = start !== undefined && call.query.resumable ? cursorOf?.(start) : undefined;
    yield* cursor === undefined ? page.elements : resumableRows(page.elements, cursor);
    left -= page.elements.length;
    budget = budget.renewed();
  }
}

/** The names of all fields that the rows have, sorted: who wants a column for each has everything read twice. */
async function fieldsIn(rows: AsyncIterable<Record<string, unknown>>): Promise<string[]> {
  const names = new Set<string>();
  for await (const { fields } of rows) {
    for (const name of Object.keys(fields as object)) names.add(name);
    if (names.size > mostColumns) throw tooManyFields();
  }
  return [...names].sort();
}

function tooManyFields(): Problem {
  const message = `must name fields for text/csv, since there are more than ${mostColumns}`;
  return new Problem('invalid-request', `query.fields ${message}.`, {
    faults: [{ path: 'query.fields', message }],
  });
}

/** `getReadings` of a device, `getRoomReadings`, `getPlaceReadings`. */
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
      .describe('Gives the next page, also where this one is short; the last page has none.'),
  });
}

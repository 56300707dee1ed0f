import { cursorContext, fittingText, route } from '@engawa/http';
import { z } from 'zod';
import { allRows, fieldsIn } from './series-rows.ts';
import { defaultPageSize, heldPage } from './series.ts';
import { subjects } from './subject.ts';
import type { CursorCodec, JsonValue, Route } from '@engawa/http';
import type { Series, SeriesCall, SeriesPage, SeriesQuery } from './series.ts';
import type { Subject, SubjectOptions } from './subject.ts';

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

import { Problem } from '@engawa/errors';
import { resumableRows } from '@engawa/http';
import { defaultPageSize, heldPage, maxPageSize } from './series.ts';
import type { Series, SeriesCall, SeriesPage, SeriesQuery } from './series.ts';
import type { Subject } from './subject.ts';

/** Maximum columns of CSV without `fields`: names come from devices, and are held in memory until all are known. */
const maxColumns = 1000;

/** Values of a page of rows. */
const maxValues = 10_000;

/**
 * All elements from the start on, up to an explicit limit; page by page, each page with its own budget. A page is in
 * memory until the client has received it, so a page of wide rows has fewer of them.
 */
export async function* allRows<Query extends SeriesQuery, Start>(
  series: Series<Query, Start>,
  subject: Subject,
  call: SeriesCall<Query>,
  first: Start,
  cursorOf?: (start: Start) => string,
): AsyncGenerator<Record<string, unknown>> {
  let { budget } = call;
  let left = call.query.limit ?? Infinity;
  let size = defaultPageSize;
  let start: Start | undefined = first;
  while (start !== undefined && left > 0) {
    const [limit, begin] = [Math.min(left, size), start];
    const page: SeriesPage<Start> = await heldPage(series, call, limit, () =>
      series.page(subject, { ...call, budget }, begin, limit),
    );
    if (page.elements.length > 0) size = sizeOf(page.elements);
    start = page.next;
    const cursor = start !== undefined && call.query.resumable ? cursorOf?.(start) : undefined;
    yield* cursor === undefined ? page.elements : resumableRows(page.elements, cursor);
    left -= page.elements.length;
    budget = budget.renew();
  }
}

/**
 * The names of all fields of the rows, sorted. Columns for all fields mean that everything is read twice, and nothing
 * is sent before the first time ends: all pages of it together have the budget of one.
 */
export async function fieldsIn<Query extends SeriesQuery, Start>(
  series: Series<Query, Start>,
  subject: Subject,
  call: SeriesCall<Query>,
  first: Start,
): Promise<string[]> {
  const names = new Set<string>();
  const budget = call.budget.renew();
  let left = call.query.limit ?? Infinity;
  for (let start: Start | undefined = first; start !== undefined && left > 0;) {
    if (budget.isSpent) throw fieldsNeeded('the range exceeds the limits of one request');
    const limit = Math.min(left, maxPageSize);
    const begin = start;
    const page: SeriesPage<Start> = await heldPage(series, call, limit, () =>
      series.page(subject, { ...call, budget }, begin, limit),
    );
    for (const { fields } of page.elements) {
      for (const name of Object.keys(fields as object)) names.add(name);
    }
    if (names.size > maxColumns) throw fieldsNeeded(`there are more than ${maxColumns}`);
    left -= page.elements.length;
    start = page.next;
  }
  return [...names].sort();
}

function fieldsNeeded(reason: string): Problem {
  const message = `must name fields for text/csv, since ${reason}`;
  return new Problem('invalid-request', `query.fields ${message}.`, {
    fieldErrors: [{ path: 'query.fields', message }],
  });
}

/** Rows of a page whose rows are like these. */
function sizeOf(rows: readonly Record<string, unknown>[]): number {
  const values = rows.reduce((sum, { fields }) => sum + valuesIn(fields as object), 0);
  return Math.max(1, Math.min(maxPageSize, Math.floor((maxValues * rows.length) / (values + 1))));
}

/** Of a reading a value per field, of a bucket a value per field and function. */
function valuesIn(fields: object): number {
  const [first] = Object.values(fields) as unknown[];
  const perField = typeof first === 'object' && first !== null ? Object.keys(first).length : 1;
  return Object.keys(fields).length * Math.max(1, perField);
}

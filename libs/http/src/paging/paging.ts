import { invariant, Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';
import { z } from 'zod';
import { integerParameter } from '../request/integer-parameter.ts';
import { fittingText, joinTexts } from '../response/json-text.ts';
import { RowPageSize } from '../rows/row-page-size.ts';
import { pageQuery } from './page-query.ts';
import type { JsonText } from '../response/json-text.ts';
import type { RequestBudget } from '../route/request-budget.ts';
import type { ClientWork } from '../work/client-work.ts';
import type { JsonValue } from './cursor-codec.ts';
import type { Cursors } from './list-moment.ts';

/** Items of a page: the default and the maximum. */
const defaultPageSize = 100;
const maxPageSize = 1000;

/** The parameters of a list that can also be streamed row by row (CSV, NDJSON); spread them into its query schema. */
export const listQuery = {
  limit: integerParameter({ minimum: 1, maximum: maxPageSize })
    .optional()
    .describe(
      `Maximum number of items; a page may have fewer although more follow. By default ${defaultPageSize} for a page of JSON, and all for CSV and NDJSON.`,
    ),
  cursor: pageQuery.cursor,
  resumable: z
    .enum(['true', 'false'])
    .default('false')
    .transform((given) => given === 'true')
    .describe(
      `With \`true\`, some rows of CSV and NDJSON (every ${maxPageSize}th or more) have a \`cursor\`, in CSV as the last column: an interrupted export resumes after that row with it. A page of JSON always has its cursor.`,
    ),
};

/** The cursor in a response. */
export const nextCursor = z
  .string()
  .optional()
  .describe('Cursor of the next page, also if this page is short; absent on the last page.');

export interface ListSource<Call, Read extends PageResult = PageResult> {
  cursors: Cursors;
  /** The context that its cursors are bound to. */
  cursorContext: (call: Call) => string;
  /** Maximum number of items of a read, where each may be large: they are in memory together. */
  maxRead?: (call: Call) => number | undefined;
  /** Reads the page that starts after a position. */
  read: (call: Call, page: PageRequest) => Promise<Read>;
}

export interface PageRequest {
  limit: number;
  after: JsonValue | undefined;
  budget: RequestBudget;
}

export interface PageResult {
  /** The position after which the next page starts; absent on the last page. */
  after?: JsonValue | undefined;
  items: readonly Record<string, unknown>[];
  /** For each item the position after it: a page ends with the last item that fits. */
  positions: readonly JsonValue[];
}

/** The parts of a request that a list uses. */
export interface ListCall {
  query: {
    limit?: number | undefined;
    cursor?: string | undefined;
    resumable?: boolean | undefined;
  };
  budget: RequestBudget;
  work: ClientWork;
}

/** A page that fits a response. */
export interface FittingPage<Read> {
  /** The last page that was read. */
  page: Read;
  /** The number of its items that the response has. */
  count: number;
  /** The items of the response. */
  items: JsonText;
  /** The cursor of the next page. */
  cursor: string | undefined;
}

/**
 * Reads the items of one page, at most as many as the budget has bytes for, and at least one if there is any. Many
 * items, and large ones, are read when the client has a slot for a large page.
 */
export function readPage<Call extends ListCall, Read extends PageResult>(
  listing: ListSource<Call, Read>,
  call: Call,
): Promise<FittingPage<Read>> {
  const { limit = defaultPageSize } = call.query;
  const isLarge = limit > defaultPageSize || listing.maxRead?.(call) !== undefined;
  const read = () => readFitting(listing, call, limit);
  return isLarge ? call.work.holdPage(read) : read();
}

async function readFitting<Call extends ListCall, Read extends PageResult>(
  listing: ListSource<Call, Read>,
  call: Call,
  limit: number,
): Promise<FittingPage<Read>> {
  const { budget, work } = call;
  const texts: JsonText[] = [];
  const maxRead = listing.maxRead?.(call) ?? Infinity;
  let after = startOf(listing, call);
  let [left, bytes] = [limit, budget.maxBytes];
  for (;;) {
    const request = { limit: Math.min(left, maxRead), after, budget };
    const page = await readFrom(listing, call, request);
    const { text, count: fitting } = await work.run(fittingText(page.items, bytes));
    bytes -= Buffer.byteLength(text.text) - 1; // a comma for the brackets
    // Only the first item of a page may exceed the limit.
    const count = bytes < 0 && texts.length > 0 ? 0 : fitting;
    const isCut = count < page.items.length;
    if (count > 0) texts.push(text);
    if (!isCut) after = page.after;
    else if (count > 0) after = positionAfter(page, count);
    left -= count;
    if (isCut || after === undefined || left === 0 || budget.isSpent || request.limit === limit)
      return { page, count, items: joinTexts(texts), cursor: cursorAt(listing, call, after) };
  }
}

function positionAfter({ positions }: PageResult, count: number): JsonValue {
  return invariant(positions[count - 1], 'each item of a page has a position');
}

/**
 * Reads the items from the cursor on, up to `limit`, page by page; each page has a budget of its
 * own. With `resumable` the last row of each page but the last has the cursor of the next page
 * (docs/adr/0050).
 */
export async function* readRows<Call extends ListCall>(
  listing: ListSource<Call>,
  call: Call,
): AsyncGenerator<Record<string, unknown>> {
  let left = call.query.limit ?? Infinity;
  let after = startOf(listing, call);
  let { budget } = call;
  const size = new RowPageSize(listing.maxRead?.(call) ?? maxPageSize);
  for (;;) {
    const limit = Math.min(left, size.rows);
    const page = await readFrom(listing, call, { limit, after, budget });
    size.adjustTo(page.items);
    after = page.after;
    const cursor = cursorAt(listing, call, after);
    yield* cursor !== undefined && call.query.resumable === true
      ? resumableRows(page.items, cursor)
      : page.items;
    left -= page.items.length;
    if (after === undefined || left === 0) return;
    budget = budget.renew();
  }
}

/** The rows of a page, the last of them with the cursor of the next page. A page without rows cannot carry a cursor. */
export function* resumableRows(
  rows: readonly Record<string, unknown>[],
  cursor: string,
): Generator<Record<string, unknown>> {
  yield* rows.slice(0, -1);
  const last = rows.at(-1);
  if (last !== undefined) yield { ...last, cursor };
}

function cursorAt<Call>(
  { cursors, cursorContext }: Pick<ListSource<Call>, 'cursors' | 'cursorContext'>,
  call: Call,
  after: JsonValue | undefined,
): string | undefined {
  return after === undefined ? undefined : cursors.encode(cursorContext(call), after);
}

/**
 * Parses the position in a cursor. Decryption proves that this installation made the cursor, but
 * another release may have made it, with positions of another form.
 * @throws Problem `invalid-cursor`
 */
export function parsePosition<Schema extends z.ZodType>(
  schema: Schema,
  position: JsonValue | undefined,
): z.output<Schema> {
  const { data, success, error } = schema.safeParse(position);
  if (success) return data;
  throw ofAnotherRelease(error);
}

/** Reads a page. A position that parses but is not a valid table key makes the cursor invalid. */
async function readFrom<Call extends ListCall, Read>(
  listing: { read: (call: Call, page: PageRequest) => Promise<Read> },
  call: Call,
  page: PageRequest,
): Promise<Read> {
  try {
    return await listing.read(call, page);
  } catch (error) {
    if (page.after !== undefined && error instanceof KeyError) throw ofAnotherRelease(error);
    throw error;
  }
}

function ofAnotherRelease(cause: unknown): Problem {
  const message = 'must be a cursor of this release; start again without it';
  return new Problem('invalid-cursor', 'The cursor was created by another release.', {
    fieldErrors: [{ path: 'query.cursor', message }],
    cause,
  });
}

function startOf<Call extends ListCall>(
  listing: Pick<ListSource<Call>, 'cursors' | 'cursorContext'>,
  call: Call,
): JsonValue | undefined {
  const { cursor } = call.query;
  return cursor === undefined
    ? undefined
    : listing.cursors.decode(listing.cursorContext(call), cursor);
}

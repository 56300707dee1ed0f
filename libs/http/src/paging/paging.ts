import { Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';
import { z } from 'zod';
import { integerParameter } from '../request/integer-parameter.ts';
import { pageQuery } from './page-query.ts';
import type { RequestBudget } from '../route/request-budget.ts';
import type { CursorCodec, JsonValue } from './cursor-codec.ts';

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
  cursors: CursorCodec;
  /** The context that its cursors are bound to. */
  cursorContext: (call: Call) => string;
  /** Reads the page that starts after a position. */
  read: (call: Call, page: PageRequest) => Promise<Read>;
}

export interface PageRequest {
  limit: number;
  after: JsonValue | undefined;
  budget: RequestBudget;
}

export interface PageResult {
  items: readonly Record<string, unknown>[];
  /** The position after which the next page starts; absent on the last page. */
  after?: JsonValue | undefined;
}

/** The parts of a request that a list uses. */
export interface ListCall {
  query: {
    limit?: number | undefined;
    cursor?: string | undefined;
    resumable?: boolean | undefined;
  };
  budget: RequestBudget;
}

/** Reads one page. @returns the page, and the cursor of the next one */
export async function readPage<Call extends ListCall, Read extends PageResult>(
  listing: ListSource<Call, Read>,
  call: Call,
): Promise<{ page: Read; cursor: string | undefined }> {
  const { limit = defaultPageSize } = call.query;
  const { budget } = call;
  const page = await readFrom(listing, call, { limit, after: startOf(listing, call), budget });
  const { after } = page;
  return { page, cursor: after === undefined ? after : cursorAt(listing, call, after) };
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
  for (;;) {
    const page = await readFrom(listing, call, {
      limit: Math.min(left, maxPageSize),
      after,
      budget,
    });
    after = page.after;
    yield* after !== undefined && call.query.resumable === true
      ? resumableRows(page.items, cursorAt(listing, call, after))
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

function cursorAt<Call>(listing: ListSource<Call>, call: Call, after: JsonValue): string {
  return listing.cursors.encode(listing.cursorContext(call), after);
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
async function readFrom<Call extends ListCall, Read extends PageResult>(
  listing: ListSource<Call, Read>,
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
  listing: ListSource<Call>,
  call: Call,
): JsonValue | undefined {
  const { cursor } = call.query;
  return cursor === undefined
    ? undefined
    : listing.cursors.decode(listing.cursorContext(call), cursor);
}

import { Problem } from '@engawa/errors';
import { KeyError } from '@engawa/keys';
import { z } from 'zod';
import { integerParameter } from '../request/integer-parameter.ts';
import { pageQuery } from './page-query.ts';
import type { RequestBudget } from '../route/request-budget.ts';
import type { CursorCodec, JsonValue } from './cursor-codec.ts';

/** Items on a page, unless asked otherwise, and at most. */
const defaultPageSize = 100;
const maxPageSize = 1000;

/** The parameters of a list that is also given row by row: spread them into its query schema. */
export const listQuery = {
  limit: integerParameter({ minimum: 1, maximum: maxPageSize })
    .optional()
    .describe(
      `How many to give at most; a page may hold fewer and still have a next one. By default ${defaultPageSize} on a page; all, row by row.`,
    ),
  cursor: pageQuery.cursor,
  resumable: z
    .enum(['true', 'false'])
    .default('false')
    .transform((given) => given === 'true')
    .describe(
      `Row by row, \`true\` gives a row each so often (at the latest each ${maxPageSize}th) a \`cursor\`, in CSV the last column: an export that was cut off goes on behind that row with it. A page of JSON has its cursor anyway.`,
    ),
};

/** The cursor in an answer. */
export const nextCursor = z
  .string()
  .optional()
  .describe('Gives the next page, also where this one is short; the last page has none.');

export interface ListSource<Call, Read extends PageResult = PageResult> {
  cursors: CursorCodec;
  /** What its cursors are bound to. */
  cursorContext: (call: Call) => string;
  /** Reads a page from a position of its own on. */
  read: (call: Call, page: PageRequest) => Promise<Read>;
}

export interface PageRequest {
  limit: number;
  after: JsonValue | undefined;
  budget: RequestBudget;
}

export interface PageResult {
  items: readonly Record<string, unknown>[];
  /** The position behind which the next page goes on; absent where there is none. */
  after?: JsonValue | undefined;
}

/** What a list needs to know of the request. */
export interface ListCall {
  query: {
    limit?: number | undefined;
    cursor?: string | undefined;
    resumable?: boolean | undefined;
  };
  budget: RequestBudget;
}

/** One page, and the cursor of the next. */
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
 * All items from the cursor on, or as many as are asked for; page by page, each with means of its own. With `resumable` the last
 * row of each page, but of the last page, has the cursor of the next one (docs/adr/0050).
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

/** A page of rows, the last of them with the cursor of what follows; a page without rows has nothing to say it with. */
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
 * The position in a cursor, as the schema has it. The signature says that one of us has made it, but that may have been
 * another release, whose positions look different.
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

/** Reads a page; a position that looks right, but is no key of the table, is refused with the cursor that it came in. */
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
  const message = 'must be of this release: start again without it';
  return new Problem('invalid-cursor', 'The cursor was made by another release.', {
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

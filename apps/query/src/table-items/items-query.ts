import { integerParameter, pageQuery, parsePosition } from '@engawa/http';
import {
  byteLength,
  compareBytes,
  keyIndexes,
  maxPartitionKeyBytes,
  maxSortKeyBytes,
} from '@engawa/keys';
import { z } from 'zod';
import type { JsonValue } from '@engawa/http';
import type { PageKey, QueryRequest } from '@engawa/table';

/** Items of a page: a block of 1 KB may decode to 25 KB of JSON, since readings repeat field names. */
export const maxItemsPerPage = 100;

const keyText = (maxBytes: number) =>
  z
    .string()
    .min(1)
    .refine((text) => byteLength(text) <= maxBytes, `must have at most ${maxBytes} bytes of UTF-8`);

const sortKey = keyText(maxSortKeyBytes).optional();
const oneKind = 'must not be combined with another condition on the sort key';

/** The query parameters of the items of a partition. */
export const itemsQuery = z
  .strictObject({
    index: z.enum(keyIndexes).default('table').describe('The table, or one of its indexes.'),
    pk: keyText(maxPartitionKeyBytes).describe(
      'The partition key, as it is stored: with the escapes of the key grammar.',
    ),
    sk: sortKey.describe('The whole sort key; in an index several items can have it.'),
    skPrefix: sortKey.describe('The beginning of the sort key.'),
    skFrom: sortKey.describe('The first sort key, inclusive, in the order of bytes.'),
    skTo: sortKey.describe('The last sort key, inclusive, in the order of bytes.'),
    order: z.enum(['asc', 'desc']).default('asc').describe('The order of the sort keys.'),
    limit: integerParameter({ minimum: 1, maximum: 1000 })
      .prefault(maxItemsPerPage)
      .describe(`Maximum number of items; a page has at most ${maxItemsPerPage}.`),
    cursor: pageQuery.cursor,
    dryRun: z
      .enum(['true', 'false'])
      .default('false')
      .transform((given) => given === 'true')
      .describe('`true` returns the price only, and sends no request to DynamoDB.'),
  })
  .superRefine(({ sk, skPrefix, skFrom, skTo }, context) => {
    const fail = (path: string, message: string) =>
      context.addIssue({ code: 'custom', path: [path], message });
    const hasRange = skFrom !== undefined || skTo !== undefined;
    if (sk !== undefined && (skPrefix !== undefined || hasRange)) fail('sk', oneKind);
    if (skPrefix !== undefined && hasRange) fail('skPrefix', oneKind);
    if (skFrom !== undefined && skTo !== undefined && compareBytes(skFrom, skTo) > 0) {
      fail('skFrom', 'must not be above query.skTo');
    }
  });

export type ItemsQuery = z.output<typeof itemsQuery>;

/** The Query of DynamoDB. @param after the end of the previous page */
export function requestOf(query: ItemsQuery, after: PageKey | undefined): QueryRequest {
  const { index, pk, order } = query;
  return {
    pk,
    limit: pageLimit(query),
    descending: order === 'desc',
    sk: conditionOf(query),
    ...(index !== 'table' && { index }),
    ...(after !== undefined && { after }),
  };
}

export function pageLimit({ limit }: ItemsQuery): number {
  return Math.min(limit, maxItemsPerPage);
}

/** The parameters that a cursor is bound to. `dryRun` is none of them: a price can be requested with a cursor. */
export function boundParameters(query: ItemsQuery) {
  const { index, pk, sk, skPrefix, skFrom, skTo, order } = query;
  return { index, pk, sk, skPrefix, skFrom, skTo, order };
}

const position = z.record(z.string(), z.string());

/** @throws Problem `invalid-cursor` for a position of another release */
export function pageKeyFrom(decoded: JsonValue): PageKey {
  return parsePosition(position, decoded);
}

function conditionOf({ sk, skPrefix, skFrom, skTo }: ItemsQuery): NonNullable<QueryRequest['sk']> {
  if (sk !== undefined) return { from: sk, to: sk };
  if (skPrefix !== undefined) return { beginsWith: skPrefix };
  return { ...(skFrom !== undefined && { from: skFrom }), ...(skTo !== undefined && { to: skTo }) };
}

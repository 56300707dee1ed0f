import { invariant } from '@engawa/errors';
import { Expression } from '../items/expression.ts';
import { marshal } from '../items/marshal.ts';
import { indexProjection } from '../setup/table-definition.ts';
import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Condition, Path } from '../items/expression.ts';
import type { IndexName } from '../setup/table-definition.ts';

/** The end of a page: the table's key and, on an index, the index's key as well. */
export type PageKey = Record<string, string>;

/** One Query of one partition key. */
export interface QueryRequest {
  /** The table itself, unless an index is named. */
  index?: IndexName;
  pk: string;
  /** `from` and `to` are inclusive and in byte order; DynamoDB rejects a `from` above `to`. */
  sk?: { beginsWith: string } | { from?: string; to?: string };
  descending?: boolean;
  /** Maximum number of items; a page also ends at 1 MB. */
  limit?: number;
  /** The page begins after this key: `next` of another page, or `pageKeyOf` an item. */
  after?: PageKey;
  /** Strongly consistent: sees every write that was acknowledged before. Twice the units; not possible on an index. */
  consistent?: boolean;
  /** Filter: other items are dropped after they were read, so they count for `limit`, page size and units. */
  onlyIf?: Condition | undefined;
  /** Returns only these fields, of an index those that it has (`projected`); costs as much as whole items. */
  fields?: readonly Path[] | undefined;
  signal?: AbortSignal;
}

/** Options of reads of single items. */
export type ReadOptions = Pick<QueryRequest, 'consistent' | 'fields' | 'signal'>;

export interface ItemPage {
  items: Document[];
  /** Absent on the last page. */
  next?: PageKey;
  /** Read units consumed; estimated by size where DynamoDB does not report them. */
  units: number;
}

/** @throws Error where the index does not have one of `fields`: DynamoDB refuses that, the embedded engine does not */
export function queryInput(tableName: string, request: QueryRequest): QueryCommandInput {
  const { index, after, onlyIf, fields } = request;
  if (index !== undefined && fields !== undefined) {
    const absent = fields.filter((path) => projected(index, [path]).length === 0);
    if (absent.length > 0) throw new Error(`${index} does not project ${absent.join(', ')}`);
  }
  const expression = new Expression();
  const expressions = {
    KeyConditionExpression: keyCondition(expression, request),
    FilterExpression: onlyIf?.(expression),
    ProjectionExpression: fields && expression.list(fields),
  };
  return {
    TableName: tableName,
    IndexName: index,
    ...expressions,
    ...expression.marshalledPlaceholders(),
    ScanIndexForward: request.descending !== true,
    Limit: request.limit,
    ConsistentRead: request.consistent,
    ExclusiveStartKey: after && marshal(after),
  };
}

/** The paths whose attribute is in the index. */
export function projected(index: IndexName, paths: readonly Path[]): Path[] {
  const attributes = indexProjection(index);
  if (attributes === 'all') return [...paths];
  return paths.filter((path) =>
    attributes.includes(
      typeof path === 'string' ? path : invariant(path[0], 'a path has at least one name'),
    ),
  );
}

/** Parameters that restrict a read of single items to these fields. */
export function projectionInput(fields: readonly Path[] | undefined) {
  if (fields === undefined) return {};
  const expression = new Expression();
  return { ProjectionExpression: expression.list(fields), ...expression.placeholders() };
}

/** The `after` with which a Query continues after this item. */
export function pageKeyOf(item: Document, index?: IndexName): PageKey {
  const names = ['pk', 'sk', ...(index ? [`${index}pk`, `${index}sk`] : [])];
  return Object.fromEntries(names.map((name) => [name, item[name] as string]));
}

function keyCondition(expression: Expression, { index, pk, sk = {} }: QueryRequest): string {
  const names: Key = { pk: `${index ?? ''}pk`, sk: `${index ?? ''}sk` };
  const partition = `${expression.name(names.pk)} = ${expression.value(pk)}`;
  if ('beginsWith' in sk) {
    const prefix = expression.value(sk.beginsWith);
    return `${partition} AND begins_with(${expression.name(names.sk)}, ${prefix})`;
  }
  const range = sortKeyRange(expression, names.sk, sk);
  return range === undefined ? partition : `${partition} AND ${range}`;
}

function sortKeyRange(
  expression: Expression,
  field: string,
  { from, to }: { from?: string; to?: string },
): string | undefined {
  if (from !== undefined && to !== undefined) {
    const name = expression.name(field);
    return `${name} BETWEEN ${expression.value(from)} AND ${expression.value(to)}`;
  }
  if (from !== undefined) return `${expression.name(field)} >= ${expression.value(from)}`;
  if (to !== undefined) return `${expression.name(field)} <= ${expression.value(to)}`;
  return undefined;
}

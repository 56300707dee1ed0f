import { Expression } from '../items/expression.ts';
import { marshal } from '../items/marshal.ts';
import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { Condition, Path } from '../items/expression.ts';

export type IndexName = 'gsi1' | 'gsi2';

/** Where a page ended: the table's key and, on an index, that index's. All of them texts. */
export type PageKey = Record<string, string>;

/** One Query of one partition key. */
export interface QueryRequest {
  /** The table itself, unless an index is named. */
  index?: IndexName;
  pk: string;
  /** `from` and `to` are inclusive and in byte order; DynamoDB refuses a `from` above `to`. */
  sk?: { beginsWith: string } | { from?: string; to?: string };
  descending?: boolean;
  /** Items at most; a page also ends at 1 MB. */
  limit?: number;
  /** Begins behind this key: a page's `next`, or `pageKeyOf` an item. */
  after?: PageKey;
  /** Sees every write that was answered before; costs twice as much, and no index can do it. */
  consistent?: boolean;
  /** Leaves out other items once they are read: they count for `limit`, for the page and in the units. */
  onlyIf?: Condition | undefined;
  /** Gives these fields alone; costs as much as the whole items. */
  fields?: readonly Path[] | undefined;
  signal?: AbortSignal;
}

/** Of single items. */
export type ReadOptions = Pick<QueryRequest, 'consistent' | 'fields' | 'signal'>;

export interface ItemPage {
  items: Document[];
  /** Absent when there is nothing behind this page. */
  next?: PageKey;
  /** Read units that it took; estimated where they are not reported. */
  units: number;
}

export function queryInput(tableName: string, question: QueryRequest): QueryCommandInput {
  const { index, after, onlyIf, fields } = question;
  const expression = new Expression();
  const expressions = {
    KeyConditionExpression: keyCondition(expression, question),
    FilterExpression: onlyIf?.(expression),
    ProjectionExpression: fields && expression.list(fields),
  };
  return {
    TableName: tableName,
    IndexName: index,
    ...expressions,
    ...expression.marshalledPlaceholders(),
    ScanIndexForward: question.descending !== true,
    Limit: question.limit,
    ConsistentRead: question.consistent,
    ExclusiveStartKey: after && marshal(after),
  };
}

/** What a read of single items has to say for these fields alone. */
export function projectionInput(fields: readonly Path[] | undefined) {
  if (fields === undefined) return {};
  const expression = new Expression();
  return { ProjectionExpression: expression.list(fields), ...expression.placeholders() };
}

/** What `after` has to be for a Query to go on behind this item. */
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

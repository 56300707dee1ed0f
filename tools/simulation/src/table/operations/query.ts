import {
  capacityDetail,
  chargeOf,
  compareIndexed,
  compareStored,
  consumedCapacities,
  holds,
  invalid,
  maxPageBytes,
  parseQuery,
  present,
  readUnits,
  startAttributes,
  textOf,
} from '@engawa/dynamodb-simulator/rules';
import { checkFields } from './check-fields.ts';
import { shown } from './read.ts';
import { tableOf } from './operation.ts';
import type {
  Charge,
  Document,
  IndexPosition,
  IndexSchema,
  Item,
  QueryRequest,
} from '@engawa/dynamodb-simulator/rules';
import type { SortedList } from '../sorted-list.ts';
import type { TableData } from '../table-data.ts';
import type { OperationContext, Prepared } from './operation.ts';

const fields = [
  'TableName',
  'IndexName',
  'KeyConditionExpression',
  'FilterExpression',
  'ProjectionExpression',
  'ExpressionAttributeNames',
  'ExpressionAttributeValues',
  'ExclusiveStartKey',
  'ScanIndexForward',
  'ConsistentRead',
  'Limit',
  'Select',
  'ReturnConsumedCapacity',
];

interface TableQuery extends QueryRequest {
  table: TableData;
  index: IndexSchema | undefined;
}

/** A row of a table or of an index. */
interface Row {
  sort: string;
  item: Item;
  bytes: number;
}

interface Page {
  items: Item[];
  scanned: number;
  bytes: number;
  /** The last row of the page if further rows exist. */
  last: Item | undefined;
}

export function query(context: OperationContext, input: Document): Prepared {
  const detail = capacityDetail(input);
  const request = requestOf(context, input);
  const page = readPage(request, context.now);
  const charges = chargesOf(request, page);
  return {
    parts: [{ table: request.table, key: undefined, charges }],
    complete: () => {
      const { items, scanned, last } = page;
      return {
        ...(!request.isCount && { Items: items }),
        Count: items.length,
        ScannedCount: scanned,
        ...(last && { LastEvaluatedKey: pageKey(request, last) }),
        ...(detail !== 'NONE' && { ConsumedCapacity: capacityOf(charges, detail) }),
      };
    },
  };
}

/** @throws Refusal */
function requestOf(context: OperationContext, input: Document): TableQuery {
  checkFields('Query', input, fields);
  const table = tableOf(context, textOf(input, 'TableName'));
  const { schema, salt } = table;
  const name = textOf(input, 'IndexName');
  const index = schema.indexes.find((one) => one.name === name);
  if (name !== undefined && index === undefined) {
    throw invalid(`The table does not have the specified index: ${name}`);
  }
  return {
    table,
    index,
    ...parseQuery(context.expressions, { table: schema, index, salt }, input),
  };
}

function readPage(request: TableQuery, now: number): Page {
  const { filter, projection, isForward, limit } = request;
  const page: Page = { items: [], scanned: 0, bytes: 0, last: undefined };
  const { rows, from, to } = rowsOf(request, now);
  const count = to - from;
  for (let number = 0; number < count; number++) {
    const { item, bytes } = rows?.at(isForward ? from + number : to - 1 - number) as Row;
    page.scanned += 1;
    page.bytes += bytes;
    if (filter === undefined || holds(filter, item)) page.items.push(shown(item, projection));
    if (page.scanned < limit && page.bytes <= maxPageBytes) continue;
    page.last = item;
    break;
  }
  return page;
}

/** The matching rows after the start key: from one array index up to, but not including, another one. */
function rowsOf({ table, index, partition, range, start, isForward }: TableQuery, now: number) {
  if (index === undefined) {
    const compare = start && ((row: Row) => compareStored(row, start));
    return bounds(table.partition(partition), range, compare, isForward);
  }
  const rows = table.indexPartition(index, partition, now);
  const compare = start && ((row: Row & IndexPosition) => compareIndexed(row, start));
  return bounds(rows, range, compare, isForward);
}

function bounds<Position, Element extends Row & Position>(
  rows: SortedList<Position, Element> | undefined,
  { isReached, isPassed }: TableQuery['range'],
  compareToStart: ((row: Element) => number) | undefined,
  isForward: boolean,
) {
  if (rows === undefined) return { rows, from: 0, to: 0 };
  let from = rows.firstIndex(({ sort }) => isReached(sort));
  let to = rows.firstIndex(({ sort }) => isPassed(sort));
  if (compareToStart !== undefined) {
    if (isForward)
      from = Math.max(
        from,
        rows.firstIndex((row) => compareToStart(row) > 0),
      );
    else
      to = Math.min(
        to,
        rows.firstIndex((row) => compareToStart(row) >= 0),
      );
  }
  return { rows, from, to };
}

function pageKey({ table, index }: TableQuery, item: Item): Item {
  return Object.fromEntries(
    startAttributes(table.schema, index).map(({ name }) => [name, present(item[name])]),
  );
}

function chargesOf({ table, index, partition, isConsistent }: TableQuery, page: Page): Charge[] {
  const units = readUnits(page.bytes, { isConsistent });
  return [chargeOf(table.schema, index, { unit: 'read', key: partition, units })];
}

function capacityOf(charges: readonly Charge[], detail: string): Document | undefined {
  const [capacity] = consumedCapacities(charges, detail);
  return capacity;
}

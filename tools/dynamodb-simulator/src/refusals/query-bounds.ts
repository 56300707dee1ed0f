import { beginsWith, compareKeys, isEqual } from '../attribute.ts';
import { keyCondition } from '../plans/key-condition.ts';
import { keySchemaOf } from '../schema.ts';
import { oversizedSort } from './key-size.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { ClientRequest } from '../plans/plan.ts';
import type { KeyCondition } from '../plans/key-condition.ts';
import type { KeySchema } from '../schema.ts';

/** Rejects a Query with an empty or too long key, or with a start key outside its key condition. */
export async function refusedQuery(asked: ClientRequest): Promise<string | undefined> {
  const { operation, body, headers, upstream } = asked;
  if (operation !== 'Query') return undefined;
  const table = await upstream.table(String(body['TableName']), headers);
  const key = keySchemaOf(table, body['IndexName']);
  const condition = keyCondition(key, body);
  return (
    refusedCondition(key, condition) ?? refusedStart(key, condition, body['ExclusiveStartKey'])
  );
}

function refusedCondition(key: KeySchema, { partition, sort }: KeyCondition): string | undefined {
  const operands = sort?.operands ?? [];
  const [oversized] = operands.flatMap((value) => oversizedSort(value) ?? []);
  if (oversized !== undefined) return oversized;
  if (isEmpty(partition)) return emptyKey(key.partition);
  return operands.some(isEmpty) ? emptyKey(key.sort) : undefined;
}

function refusedStart(
  key: KeySchema,
  condition: KeyCondition,
  startKey: unknown,
): string | undefined {
  if (startKey === undefined) return undefined;
  const start = startKey as Item;
  const [empty] = Object.entries(start).find(([, value]) => isEmpty(value)) ?? [];
  if (empty !== undefined) return `The provided starting key is invalid: ${emptyKey(empty)}`;
  if (condition.partition !== undefined && !isEqual(start[key.partition], condition.partition)) {
    return 'The provided starting key is outside query boundaries based on provided conditions';
  }
  const sort = key.sort === undefined ? undefined : start[key.sort];
  return sort === undefined || isWithin(sort, condition)
    ? undefined
    : 'The provided starting key does not match the range key predicate';
}

function isEmpty(value: AttributeValue | undefined): boolean {
  return value !== undefined && (value['S'] === '' || value['B'] === '');
}

function emptyKey(name: string | undefined): string {
  return `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`;
}

/** Whether a sort key fulfils the condition. */
export function isWithin(value: AttributeValue, { sort }: KeyCondition): boolean {
  if (sort === undefined) return true;
  const [first, last] = sort.operands;
  if (first === undefined) return true;
  const order = compareKeys(value, first);
  switch (sort.operator) {
    case '=':
      return order === 0;
    case '<':
      return order < 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '>=':
      return order >= 0;
    case 'BETWEEN':
      return order >= 0 && (last === undefined || compareKeys(value, last) <= 0);
    case 'begins_with':
      return beginsWith(value, first);
  }
}

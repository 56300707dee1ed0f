import { isEqual } from '../compare.ts';
import { attributeOf } from '../attribute.ts';
import { emptyKey, isEmptyKey, keyOf } from '../item-key.ts';
import { normalizeItem } from '../normalize.ts';
import { invalid } from '../exceptions.ts';
import { attributesOf } from '../schema.ts';
import { tieOf } from '../stored-item.ts';
import { present } from '../present.ts';
import type { AttributeValue, Item } from '../attribute.ts';
import type { IndexSchema, KeyAttribute, TableSchema } from '../schema.ts';
import type { IndexPosition } from '../stored-item.ts';
import type { SortRange } from './sort-range.ts';

export interface StartOptions {
  table: TableSchema;
  index: IndexSchema | undefined;
  /** The partition key of the condition. */
  partition: AttributeValue;
  range: SortRange;
  /** Of the order of items with the same sort key in an index. */
  salt: number;
}

/** Parses the position after which a page begins, whether or not it has an item. @throws Refusal */
export function parseStart(
  input: unknown,
  { table, index, partition, range, salt }: StartOptions,
): IndexPosition | undefined {
  if (input == null) return undefined;
  const start = normalizeItem(input);
  checkAttributes(start, startAttributes(table, index));
  const schema = index?.key ?? table.key;
  if (!isEqual(present(start[schema.partition.name]), partition)) {
    throw invalid(
      'The provided starting key is outside query boundaries based on provided conditions',
    );
  }
  const key = keyOf(table.key, start);
  const { sort } = keyOf(schema, start);
  if (!range.isReached(sort) || range.isPassed(sort)) {
    throw invalid('The provided starting key does not match the range key predicate');
  }
  return { sort, key, tie: tieOf(key, salt) };
}

/** The attributes of a page's last key: the key of the table, and of the index if one is queried. */
export function startAttributes(
  { key }: TableSchema,
  index: IndexSchema | undefined,
): KeyAttribute[] {
  const attributes = [...attributesOf(key), ...(index ? attributesOf(index.key) : [])];
  return [...new Map(attributes.map((attribute) => [attribute.name, attribute])).values()];
}

function checkAttributes(start: Item, attributes: readonly KeyAttribute[]): void {
  const fits = attributes.every(({ name, type }) => attributeOf(start, name)?.[type] !== undefined);
  if (!fits || Object.keys(start).length !== attributes.length) {
    throw invalid('The provided starting key is invalid');
  }
  for (const [name, value] of Object.entries(start)) {
    if (!isEmptyKey(value)) continue;
    throw invalid(`The provided starting key is invalid: ${emptyKey(name)}`);
  }
}

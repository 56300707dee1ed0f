import { attributeOf } from './attribute.ts';
import { numberOrder } from './decimal.ts';
import { binaryText } from './expression/evaluate.ts';
import { binaryBytes, textBytes } from './item-size.ts';
import { isObject, normalizeItem } from './normalize.ts';
import { invalid } from './exceptions.ts';
import { attributesOf } from './schema.ts';
import { present } from './present.ts';
import type { AttributeValue, Item } from './attribute.ts';
import type { IndexSchema, KeyAttribute, KeySchema } from './schema.ts';

/** A key as two texts, equal for equal values. */
export interface ItemKey {
  /** The canonical content of the attribute. */
  partition: string;
  /** In DynamoDB's order by `compareText`; empty for a table or index without a sort key. */
  sort: string;
}

/** Maximum bytes of keys (developer guide, "Quotas": partition and sort keys), also in indexes. */
const maxPartitionBytes = 2048;
const maxSortBytes = 1024;

const invalidParameter = 'One or more parameter values were invalid:';

/** The key of an item to put. @throws Refusal if its key attributes are missing or invalid */
export function keyOfItem(schema: KeySchema, item: Item): ItemKey {
  for (const { name, type } of attributesOf(schema)) {
    const value = attributeOf(item, name);
    if (value === undefined)
      throw invalid(`${invalidParameter} Missing the key ${name} in the item`);
    if (value[type] === undefined) {
      const actual = Object.keys(value).join();
      throw invalid(
        `${invalidParameter} Type mismatch for key ${name} expected: ${type} actual: ${actual}`,
      );
    }
  }
  return checkedKey(schema, item);
}

/** Parses a request's Key, which must have exactly the key attributes. @throws Refusal */
export function parseKey(schema: KeySchema, input: unknown): { key: ItemKey; attributes: Item } {
  if (!isObject(input))
    throw invalid("Value null at 'key' failed to satisfy constraint: Member must not be null");
  const attributes = normalizeItem(input);
  const names = attributesOf(schema);
  const fits = names.every(({ name, type }) => attributeOf(attributes, name)?.[type] !== undefined);
  if (!fits || Object.keys(attributes).length !== names.length) {
    throw invalid('The provided key element does not match the schema');
  }
  return { key: checkedKey(schema, attributes), attributes };
}

/** The key of a valid item. */
export function keyOf({ partition, sort }: KeySchema, item: Item): ItemKey {
  return {
    partition: partitionText(present(item[partition.name])),
    sort: sort === undefined ? '' : sortText(present(item[sort.name])),
  };
}

export function partitionText({ S, N, B }: AttributeValue): string {
  return S ?? N ?? B ?? '';
}

export function sortText({ S, N, B }: AttributeValue): string {
  if (S !== undefined) return S;
  return N !== undefined ? numberOrder(N) : binaryText(B ?? '');
}

export function keyAttributes(schema: KeySchema, item: Item): Item {
  return Object.fromEntries(attributesOf(schema).map(({ name }) => [name, present(item[name])]));
}

/**
 * Checks type and size of an item's key attributes of an index, even if the item has only one of
 * them.
 * @throws Refusal
 */
export function checkIndexKeys({ name: index, key }: IndexSchema, item: Item): void {
  for (const attribute of attributesOf(key)) {
    const value = attributeOf(item, attribute.name);
    if (value === undefined) continue;
    const { name, type } = attribute;
    if (value[type] === undefined) {
      const actual = Object.keys(value).join();
      throw invalid(
        `${invalidParameter} Type mismatch for Index Key ${name} Expected: ${type} Actual: ${actual} IndexName: ${index}`,
      );
    }
    if (isEmptyKey(value)) {
      throw invalid(
        `One or more parameter values are not valid. A value specified for a secondary index key is not supported. The AttributeValue for a key attribute cannot contain an empty string value. IndexName: ${index}, IndexKey: ${name}`,
      );
    }
    checkKeySize(key, attribute, value);
  }
}

export function isEmptyKey({ S, B }: AttributeValue): boolean {
  return S === '' || B === '';
}

export function emptyKey(name: string): string {
  return `One or more parameter values are not valid. The AttributeValue for a key attribute cannot contain an empty string value. Key: ${name}`;
}

/** @throws Refusal */
export function checkKeySize(
  schema: KeySchema,
  { name }: KeyAttribute,
  value: AttributeValue,
): void {
  const bytes = keyBytes(value);
  if (name !== schema.partition.name) {
    if (bytes > maxSortBytes) {
      throw invalid(
        `${invalidParameter} Aggregated size of all range keys has exceeded the size limit of ${maxSortBytes} bytes`,
      );
    }
  } else if (bytes > maxPartitionBytes) {
    // DynamoDB's message has no space before the number.
    throw invalid(
      `${invalidParameter} Size of hashkey has exceeded the maximum size limit of${maxPartitionBytes} bytes`,
    );
  }
}

function checkedKey(schema: KeySchema, item: Item): ItemKey {
  for (const attribute of attributesOf(schema)) {
    const value = present(item[attribute.name]);
    if (isEmptyKey(value)) throw invalid(emptyKey(attribute.name));
    checkKeySize(schema, attribute, value);
  }
  return keyOf(schema, item);
}

/** Numbers are always shorter than the maximum. */
function keyBytes({ S, B }: AttributeValue): number {
  if (S !== undefined) return textBytes(S);
  return B === undefined ? 0 : binaryBytes(B);
}

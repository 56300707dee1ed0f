import { isObject } from './normalize.ts';
import { invalid } from './refusal.ts';
import type { Item, KeyType } from './attribute.ts';
import type { Document } from './refusal.ts';

export interface KeyAttribute {
  name: string;
  type: KeyType;
}

export interface KeySchema {
  partition: KeyAttribute;
  sort: KeyAttribute | undefined;
}

export interface IndexSchema {
  name: string;
  key: KeySchema;
  /** Projected attributes, including keys; undefined for all. */
  carried: ReadonlySet<string> | undefined;
  /** The definition of CreateTable or UpdateTable. */
  definition: Document;
}

export interface TableSchema {
  name: string;
  key: KeySchema;
  indexes: readonly IndexSchema[];
}

/** @param input the request of CreateTable @throws Refusal */
export function parseTable(input: Document): TableSchema {
  const types = parseDefinitions(input);
  const key = parseKey(input['KeySchema'], types);
  const definitions = (input['GlobalSecondaryIndexes'] ?? []) as Document[];
  const indexes = definitions.map((definition) => parseIndex(definition, key, types));
  const used = new Set(
    [key, ...indexes.map((index) => index.key)].flatMap(({ partition, sort }) =>
      sort === undefined ? [partition.name] : [partition.name, sort.name],
    ),
  );
  if (used.size !== types.size) {
    throw invalid(
      'One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  }
  if (new Set(indexes.map(({ name }) => name)).size < indexes.length) {
    throw invalid('One or more parameter values were invalid: Duplicate index name');
  }
  return { name: String(input['TableName']), key, indexes };
}

export function parseIndex(
  definition: Document,
  table: KeySchema,
  types: ReadonlyMap<string, KeyType>,
): IndexSchema {
  const key = parseKey(definition['KeySchema'], types);
  const projection = (definition['Projection'] ?? {}) as Document;
  const names = [key.partition, key.sort, table.partition, table.sort].flatMap((attribute) =>
    attribute === undefined ? [] : [attribute.name],
  );
  const type = projection['ProjectionType'];
  if (type !== 'ALL' && type !== 'KEYS_ONLY' && type !== 'INCLUDE') {
    throw invalid(
      `One or more parameter values were invalid: Unknown ProjectionType: ${String(type)}`,
    );
  }
  const more = (projection['NonKeyAttributes'] ?? []) as string[];
  const carried = type === 'ALL' ? undefined : new Set([...names, ...more]);
  return { name: String(definition['IndexName']), key, carried, definition };
}

export function parseDefinitions(input: Document): Map<string, KeyType> {
  const definitions = (input['AttributeDefinitions'] ?? []) as Document[];
  return new Map(
    definitions.map(({ AttributeName, AttributeType }) => [
      String(AttributeName),
      AttributeType as KeyType,
    ]),
  );
}

function parseKey(elements: unknown, types: ReadonlyMap<string, KeyType>): KeySchema {
  if (!Array.isArray(elements)) throw invalid('KeySchema is required');
  const [partition, sort, ...more] = elements.map((element: unknown) => {
    const name = String(isObject(element) ? element['AttributeName'] : element);
    const type = types.get(name);
    if (type !== undefined) return { name, type };
    throw invalid(
      'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions',
    );
  });
  if (partition === undefined || more.length > 0) {
    throw invalid('A key schema has a partition key, and a sort key or none');
  }
  return { partition, sort };
}

/** The item's projection in an index; undefined if it lacks a key attribute of the index. */
export function carriedBy(index: IndexSchema, item: Item): Item | undefined {
  const { key, carried } = index;
  if (!Object.hasOwn(item, key.partition.name)) return undefined;
  if (key.sort !== undefined && !Object.hasOwn(item, key.sort.name)) return undefined;
  if (carried === undefined) return item;
  const entries = Object.entries(item).filter(([name]) => carried.has(name));
  return Object.fromEntries(entries);
}

export function attributesOf({ partition, sort }: KeySchema): KeyAttribute[] {
  return sort === undefined ? [partition] : [partition, sort];
}

import { invalid } from './exceptions.ts';
import { textOf } from './requests/fields.ts';
import type { Item, KeyType } from './attribute.ts';
import type { Document } from './exceptions.ts';

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
  arn: string;
  key: KeySchema;
  /** Projected attributes, including keys; undefined for all. */
  carried: ReadonlySet<string> | undefined;
  /** The index's part of CreateTable, UpdateTable or DescribeTable. */
  definition: Document;
}

export interface TableSchema {
  name: string;
  arn: string;
  key: KeySchema;
  indexes: readonly IndexSchema[];
}

/** @param description the request of CreateTable, or the response of DescribeTable @throws Refusal */
export function parseTable(description: Document): TableSchema {
  const types = parseDefinitions(description);
  const name = String(description['TableName']);
  const arn =
    textOf(description, 'TableArn') ?? `arn:aws:dynamodb:local:000000000000:table/${name}`;
  const table = { name, arn, key: parseKey(description['KeySchema'], types) };
  const definitions = (description['GlobalSecondaryIndexes'] ?? []) as Document[];
  const indexes = definitions.map((definition) => parseIndex(definition, table, types));
  return { ...table, indexes };
}

/** Checks the definitions of a new table. @throws Refusal */
export function checkDefinitions({ key, indexes }: TableSchema, input: Document): void {
  const used = new Set(namesOf([key, ...indexes.map((index) => index.key)]));
  if (used.size !== parseDefinitions(input).size) {
    throw invalid(
      'One or more parameter values were invalid: Number of attributes in KeySchema does not exactly match number of attributes defined in AttributeDefinitions',
    );
  }
  if (new Set(indexes.map(({ name }) => name)).size < indexes.length) {
    throw invalid('One or more parameter values were invalid: Duplicate index name');
  }
}

export function parseIndex(
  definition: Document,
  table: Pick<TableSchema, 'arn' | 'key'>,
  types: ReadonlyMap<string, KeyType>,
): IndexSchema {
  const key = parseKey(definition['KeySchema'], types);
  const projection = (definition['Projection'] ?? {}) as Document;
  const names = namesOf([key, table.key]);
  // Some emulators do not describe it.
  const type = textOf(projection, 'ProjectionType') ?? 'ALL';
  if (type !== 'ALL' && type !== 'KEYS_ONLY' && type !== 'INCLUDE') {
    throw invalid(`One or more parameter values were invalid: Unknown ProjectionType: ${type}`);
  }
  const more = (projection['NonKeyAttributes'] ?? []) as string[];
  const carried = type === 'ALL' ? undefined : new Set([...names, ...more]);
  const name = String(definition['IndexName']);
  const arn = textOf(definition, 'IndexArn') ?? `${table.arn}/index/${name}`;
  return { name, arn, key, carried, definition };
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
  const parseAttribute = (kind: 'HASH' | 'RANGE'): KeyAttribute | undefined => {
    const all = (elements ?? []) as Document[];
    const element = all.find(({ KeyType }) => KeyType === kind);
    if (element === undefined) return undefined;
    const name = String(element['AttributeName']);
    const type = types.get(name);
    if (type !== undefined) return { name, type };
    throw invalid(
      'One or more parameter values were invalid: Some index key attributes are not defined in AttributeDefinitions',
    );
  };
  const partition = parseAttribute('HASH');
  if (partition === undefined) throw invalid('KeySchema has no partition key');
  return { partition, sort: parseAttribute('RANGE') };
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

function namesOf(schemas: readonly KeySchema[]): string[] {
  return schemas.flatMap(attributesOf).map(({ name }) => name);
}

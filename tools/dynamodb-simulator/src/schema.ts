import type { Item } from './attribute.ts';

export interface KeySchema {
  partition: string;
  sort: string | undefined;
}

export interface IndexSchema {
  name: string;
  arn: string;
  key: KeySchema;
  /** Projected attributes in addition to the keys; undefined: all. */
  carried: ReadonlySet<string> | undefined;
}

export interface TableSchema {
  name: string;
  arn: string;
  key: KeySchema;
  indexes: readonly IndexSchema[];
}

interface KeyElement {
  AttributeName: string;
  KeyType: 'HASH' | 'RANGE';
}

interface IndexDescription {
  IndexName: string;
  IndexArn?: string;
  KeySchema: KeyElement[];
  Projection?: { ProjectionType?: string; NonKeyAttributes?: string[] };
}

interface TableDescription {
  TableName: string;
  TableArn?: string;
  KeySchema: KeyElement[];
  GlobalSecondaryIndexes?: IndexDescription[];
}

/** Keys and indexes of a table, from DescribeTable. */
export function tableSchema(description: unknown): TableSchema {
  const { TableName, TableArn, KeySchema, GlobalSecondaryIndexes } =
    description as TableDescription;
  const arn = TableArn ?? `arn:aws:dynamodb:local:000000000000:table/${TableName}`;
  const key = keySchema(KeySchema);
  const indexes = (GlobalSecondaryIndexes ?? []).map((index) => indexSchema(arn, key, index));
  return { name: TableName, arn, key, indexes };
}

function indexSchema(tableArn: string, table: KeySchema, index: IndexDescription): IndexSchema {
  const { IndexName: name, IndexArn: arn = `${tableArn}/index/${name}`, Projection } = index;
  const key = keySchema(index.KeySchema);
  const keys = [key.partition, key.sort, table.partition, table.sort];
  const carriesAll = (Projection?.ProjectionType ?? 'ALL') === 'ALL';
  const carried = new Set(
    [...keys, ...(Projection?.NonKeyAttributes ?? [])].filter(
      (attribute) => attribute !== undefined,
    ),
  );
  return { name, arn, key, carried: carriesAll ? undefined : carried };
}

function keySchema(elements: readonly KeyElement[]): KeySchema {
  const named = (type: string) => elements.find(({ KeyType }) => KeyType === type)?.AttributeName;
  return { partition: named('HASH') ?? '', sort: named('RANGE') };
}

/** The key schema of a Query or Scan: that of the index if it names a known one, otherwise the table's. */
export function keySchemaOf({ key, indexes }: TableSchema, indexName: unknown): KeySchema {
  return indexes.find(({ name }) => name === indexName)?.key ?? key;
}

/** The key attributes of an item or of a longer key. */
export function keyOf({ partition, sort }: KeySchema, item: Item): Item {
  const names = sort === undefined ? [partition] : [partition, sort];
  return Object.fromEntries(
    names.flatMap((name) => (item[name] === undefined ? [] : [[name, item[name]]])),
  );
}

/** The item as projected into the index; undefined when it lacks a key attribute of the index. */
export function inIndex(index: IndexSchema, item: Item | undefined): Item | undefined {
  if (item === undefined) return undefined;
  const { key, carried } = index;
  if (item[key.partition] === undefined) return undefined;
  if (key.sort !== undefined && item[key.sort] === undefined) return undefined;
  if (carried === undefined) return item;
  return Object.fromEntries(Object.entries(item).filter(([name]) => carried.has(name)));
}

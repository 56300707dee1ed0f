import { attributeKinds } from '@engawa/model';
import { idsOf } from './entity-ids.ts';
import { plainValue } from './plain-value.ts';
import type { AttributeDefinition, AttributeKind, JsonValue } from '@engawa/model';
import type { DeclaredType, EntityInput, ImportedModel } from './catalog-content.ts';
import type { TaggedItem, WorkbenchFacet, WorkbenchTable } from './workbench-format.ts';

/** The catalog's kind for each DynamoDB type that it supports. */
const kinds: Partial<Record<string, string>> = {
  S: 'text',
  N: 'number',
  BOOL: 'boolean',
  L: 'list',
  M: 'map',
  SS: 'set',
  NS: 'set',
};
/** Kinds that a search can have as parts. */
const searchable = new Set(['text', 'number', 'boolean', 'instant']);

/** A type for each facet of a table, or for the table where it has none. */
export function importTable(table: WorkbenchTable): ImportedModel {
  const facets = table.TableFacets.length > 0 ? table.TableFacets : [facetOfAll(table)];
  const imported = facets.map((facet) => importFacet(table, facet));
  const hasMySql = [table, ...facets].some(({ DataAccess }) => hasSource(DataAccess));
  return {
    types: imported.map(({ type }) => type),
    entities: imported.flatMap(({ entities }) => entities),
    leftOut: [
      ...imported.flatMap(({ leftOut }) => leftOut),
      ...(hasMySql ? [`${table.TableName}: the connection to MySQL (DataAccess)`] : []),
    ],
  };
}

function hasSource(access: WorkbenchTable['DataAccess']): boolean {
  return Object.values(access ?? {}).some((source) => Object.keys(source as object).length > 0);
}

function facetOfAll({ TableName, NonKeyAttributes, TableData }: WorkbenchTable): WorkbenchFacet {
  const names = NonKeyAttributes.map(({ AttributeName }) => AttributeName);
  return { FacetName: TableName, NonKeyAttributes: names, TableData };
}

function importFacet(table: WorkbenchTable, facet: WorkbenchFacet) {
  const { FacetName: name, TableData: rows } = facet;
  const columns = columnsOf(table, facet);
  const leftOut = columns.flatMap(({ attribute, tag, kind }) =>
    kind === undefined ? [`${name}.${attribute}: an attribute of the type ${tag}`] : [],
  );
  const kept = columns.filter((column): column is KnownColumn => column.kind !== undefined);
  const ids = idsOf(table, rows);
  const entities = rows.flatMap((row, index): EntityInput[] => {
    const id = ids[index];
    if (id === undefined) {
      leftOut.push(`${name}: row ${index + 1}, whose key is empty, too long or a duplicate`);
      return [];
    }
    return [
      {
        type: name,
        id,
        attributes: attributesOf(row, kept, leftOut, `${name} ${id}`),
        relations: {},
      },
    ];
  });
  const { searches, notSearched } = searchesOf(table, kept, name);
  const type: DeclaredType = {
    name,
    attributes: kept.map(definitionOf),
    relations: [],
    searches,
    rankings: [],
    fullText: [],
  };
  return { type, entities, leftOut: [...leftOut, ...notSearched] };
}

function definitionOf({ attribute: name, kind, tag }: KnownColumn): AttributeDefinition {
  return { name, kind, required: false, ...(tag === 'NS' && { of: 'number' }) };
}

interface Column {
  /** Name in the rows of the file. */
  column: string;
  /** Name in the catalog: for a key, its alias. */
  attribute: string;
  tag: string;
  kind: AttributeKind | undefined;
}

type KnownColumn = Column & { kind: AttributeKind };

/** The keys by their aliases, and the attributes of the facet. */
function columnsOf(table: WorkbenchTable, facet: WorkbenchFacet): Column[] {
  const { PartitionKey, SortKey } = table.KeyAttributes;
  const { PartitionKeyAlias, SortKeyAlias } = facet.KeyAttributeAlias ?? {};
  const types = new Map(
    table.NonKeyAttributes.map((one) => [one.AttributeName, one.AttributeType]),
  );
  const keys = [
    { ...PartitionKey, alias: PartitionKeyAlias },
    ...(SortKey === undefined ? [] : [{ ...SortKey, alias: SortKeyAlias }]),
  ].map(({ AttributeName, AttributeType, alias = AttributeName }) => {
    return { column: AttributeName, attribute: alias, tag: AttributeType };
  });
  const others = facet.NonKeyAttributes.filter(
    (name) => !keys.some(({ column }) => column === name),
  );
  const all = [
    ...keys,
    ...others.map((name) => ({ column: name, attribute: name, tag: types.get(name) ?? 'S' })),
  ];
  return [...new Map(all.map((one) => [one.attribute, one])).values()].map((one) => ({
    ...one,
    kind: attributeKinds.find((kind) => kind === kinds[one.tag]),
  }));
}

function attributesOf(
  row: TaggedItem,
  columns: readonly KnownColumn[],
  leftOut: string[],
  label: string,
): Record<string, JsonValue> {
  const values = columns.flatMap(({ column, attribute, tag }) => {
    const given = row[column];
    if (given === undefined) return [];
    const value = plainValue(given, tag);
    if (value === undefined)
      leftOut.push(`${label}.${attribute}: a value that is not of the type ${tag}`);
    return value === undefined ? [] : [[attribute, value as JsonValue] as const];
  });
  return Object.fromEntries(values);
}

/** A search for the keys of the table and of each index that the facet has. */
function searchesOf(table: WorkbenchTable, columns: readonly KnownColumn[], type: string) {
  const sources = [
    { name: 'byKey', keys: table.KeyAttributes },
    ...table.GlobalSecondaryIndexes.map((one) => ({
      name: one.IndexName,
      keys: one.KeyAttributes,
    })),
  ];
  const notSearched: string[] = [];
  const searches = sources.flatMap(({ name, keys }) => {
    const names = [keys.PartitionKey, keys.SortKey].flatMap((key) => key?.AttributeName ?? []);
    const parts = names.map((key) => columns.find(({ column }) => column === key));
    const usable = parts.filter((part) => part !== undefined && searchable.has(part.kind));
    if (usable.length === parts.length) {
      return [
        { name, parts: usable.flatMap((part) => (part === undefined ? [] : [partOf(part)])) },
      ];
    }
    // An index without any key in the facet is not one of its access patterns.
    if (parts.some((part) => part !== undefined)) {
      notSearched.push(`${type}: the index ${name}, since the facet has only one of its keys`);
    }
    return [];
  });
  return { searches, notSearched };
}

function partOf({ attribute, kind }: KnownColumn) {
  return { attribute, as: kind as 'text' | 'number' | 'boolean' };
}

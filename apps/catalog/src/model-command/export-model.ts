import { tableRows } from './table-rows.ts';
import type { CatalogContent, DeclaredType } from './catalog-content.ts';
import type { RowsOf } from './table-rows.ts';
import type { TaggedItem } from './workbench-format.ts';

export interface ExportOptions {
  name: string;
  /** Formatted date for the file. */
  date: string;
}

const text = (AttributeName: string) => ({ AttributeName, AttributeType: 'S' });
const keysOf = (prefix: string) => ({
  PartitionKey: text(`${prefix}pk`),
  SortKey: text(`${prefix}sk`),
});
const keyNames = ['pk', 'sk'];
/** Workbench's value for tables without data from MySQL. */
const noMySql = { MySql: {} };

/** A model file of NoSQL Workbench: one table, with a facet for each kind of row. */
export function exportModel(content: CatalogContent, { name, date }: ExportOptions) {
  const facets = tableRows(content).filter(({ rows }) => rows.length > 0);
  return {
    ModelName: name,
    ModelMetadata: {
      Author: 'Engawa',
      DateCreated: date,
      DateLastModified: date,
      Description: descriptionOf(content.types),
      AWSService: 'Amazon DynamoDB',
      Version: '3.0',
    },
    DataModel: [
      {
        TableName: 'engawa',
        KeyAttributes: keysOf(''),
        NonKeyAttributes: attributesOf(facets.flatMap(({ rows }) => rows)),
        TableFacets: facets.map(facetOf),
        GlobalSecondaryIndexes: ['gsi1', 'gsi2'].map((index) => ({
          IndexName: index,
          KeyAttributes: keysOf(index),
          Projection: { ProjectionType: 'ALL' },
        })),
        DataAccess: noMySql,
        BillingMode: 'PAY_PER_REQUEST',
      },
    ],
  };
}

/** One line for each access pattern: the file format has no other place for them. */
function descriptionOf(types: readonly DeclaredType[]): string {
  const patterns = types.flatMap(({ name, searches, rankings, relations }) => [
    ...searches.map((search) => {
      const parts = search.parts.map((part) =>
        'attribute' in part ? part.attribute : part.relation,
      );
      return `${name} ${search.name}: Query of gsi2 by ${parts.join(', then ')}`;
    }),
    ...rankings.map(({ name: ranking, attribute, direction }) => {
      return `${name} ${ranking}: Query of gsi2 in the ${direction} order of ${attribute}`;
    }),
    ...relations.map(({ name: relation, to }) => {
      return `${name} ${relation}: Query of the table for ${to}, of gsi1 for the way back`;
    }),
  ]);
  return ['A catalog of Engawa.', ...patterns].join('\n');
}

function facetOf({ name, rows }: RowsOf) {
  return {
    FacetName: name,
    KeyAttributeAlias: { PartitionKeyAlias: 'pk', SortKeyAlias: 'sk' },
    TableData: rows,
    NonKeyAttributes: attributesOf(rows).map(({ AttributeName }) => AttributeName),
    DataAccess: noMySql,
  };
}

/** The attributes of the rows with their types, without keys. */
function attributesOf(rows: readonly TaggedItem[]) {
  const types = new Map<string, string>();
  for (const row of rows) {
    for (const [name, value] of Object.entries(row)) types.set(name, Object.keys(value)[0] ?? 'S');
  }
  return [...types]
    .filter(([name]) => !keyNames.includes(name))
    .map(([AttributeName, AttributeType]) => ({ AttributeName, AttributeType }));
}

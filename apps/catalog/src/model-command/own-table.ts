import { parseKey } from '@engawa/keys';
import { keyOf, parseEntity, parseEntityType, parseRelation } from '@engawa/model';
import { unmarshal } from '@engawa/table';
import { showAttributes } from '../entities/read/entity-schemas.ts';
import { omitProperties } from './omit-properties.ts';
import type { Document, EntityType, RelationRow, SearchPart } from '@engawa/model';
import type {
  CatalogContent,
  DeclaredType,
  EntityInput,
  RelationTargetInput,
} from './catalog-content.ts';
import type { TaggedItem, WorkbenchTable } from './workbench-format.ts';

/** Whether the table was exported from a catalog: its rows declare types. */
export function isOwnTable(table: WorkbenchTable): boolean {
  const { PartitionKey, SortKey } = table.KeyAttributes;
  if (PartitionKey.AttributeName !== 'pk' || SortKey?.AttributeName !== 'sk') return false;
  return rowsOf(table).some((row) => itemOf(row) === 'entityType');
}

/** Reads types, entities and relations from their rows, like the catalog does. */
export function importOwnTable(table: WorkbenchTable): CatalogContent {
  const rows = rowsOf(table);
  const of = (item: string) => rows.filter((row) => itemOf(row) === item);
  const types = of('entityType').map(parseEntityType);
  const relations = of('relation').map(parseRelation);
  const entities = of('entity').map((row) => toEntityInput(row, types, relations));
  return { types: types.map(declaredType), entities };
}

function rowsOf({ TableFacets, TableData }: WorkbenchTable): Document[] {
  const rows: TaggedItem[] = [...TableData, ...TableFacets.flatMap((facet) => facet.TableData)];
  return rows.map((row) => unmarshal(row));
}

function itemOf(row: Document): string | undefined {
  try {
    return parseKey(keyOf(row)).item;
  } catch {
    return undefined;
  }
}

/** Without the properties that the service adds. */
function declaredType(type: EntityType): DeclaredType {
  const declared = omitProperties(
    type,
    'version',
    'layout',
    'built',
    'ownRanking',
    'createdAt',
    'changedAt',
    'steps',
    'closing',
    'gone',
  );
  return {
    ...(declared as unknown as DeclaredType),
    searches: type.searches.map((search) => omitProperties(search, 'layout')),
    rankings: type.rankings.map((ranking) => omitProperties(ranking, 'layout')),
    filters: (type.filters ?? []).map((filter) => omitProperties(filter, 'layout') as SearchPart),
  };
}

function toEntityInput(
  row: Document,
  types: readonly EntityType[],
  rows: readonly RelationRow[],
): EntityInput {
  const { type, id, attributes, one } = parseEntity(row);
  const many = types
    .find(({ name }) => name === type)
    ?.relations.filter((relation) => relation.many);
  const own = rows.filter(({ from }) => from.type === type && from.id === id);
  const lists = (many ?? []).map(({ name, to }) => {
    const matching = own.filter(
      (relation) => relation.to.type === to && relation.relations.includes(name),
    );
    return [name, matching.map((relation) => targetOf(relation, name))] as const;
  });
  return {
    type,
    id,
    attributes: showAttributes(attributes),
    relations: {
      ...Object.fromEntries(one),
      ...Object.fromEntries(lists.filter(([, ids]) => ids.length > 0)),
    },
  };
}

function targetOf({ to: { id }, attributes }: RelationRow, name: string): RelationTargetInput {
  const values = attributes?.get(name);
  return values === undefined ? id : { id, attributes: Object.fromEntries(values) };
}

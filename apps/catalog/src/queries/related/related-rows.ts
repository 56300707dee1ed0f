import {
  anyRelationPrefix,
  decodeTuple,
  entityKey,
  entityPartition,
  relationKey,
  relationPrefix,
} from '@engawa/keys';
import { linkAttributesOf, parseEntity, parseRelation, relationsOf } from '@engawa/model';
import { mergeShards } from '@engawa/table';
import { targetKey } from '../../entities/items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, LinkAttributes, RelationRow } from '@engawa/model';
import type { MergedPage, PageKey, ShardRow, Table } from '@engawa/table';
import type { RequestLimits } from '../fetch-entities.ts';

export interface RelatedRowsQuery extends RequestLimits {
  entity: EntityName;
  /** Type of the related entities; undefined: any. */
  otherType: string | undefined;
  /** In descending order of types and ids. */
  descending: boolean;
  limit: number;
  after: string | undefined;
}

/** A related entity, and the names of the relations; none for a staged or removed row. */
export interface RelatedRow extends ShardRow, EntityName {
  relations: readonly string[];
  attributes: LinkAttributes;
}

interface StoredRow extends ShardRow {
  row: RelationRow;
}

/** The targets of the entity's relations: one Query, and two more requests during a staged write of the entity. */
export async function rowsForward(
  table: Table,
  query: RelatedRowsQuery,
): Promise<MergedPage<RelatedRow>> {
  const read = (consistent: boolean) =>
    readRows(table, query, {
      startAt: (sk) => ({ pk: entityPartition(query.entity), sk }),
      consistent,
    });
  let page = await read(false);
  let from: Entity | undefined;
  if (page.rows.some(({ row }) => row.staged !== undefined)) {
    [from] = (await fetchStagedEntities(table, [query.entity], query)).values();
    const settles = from?.settles;
    const isSettled = ({ row }: StoredRow) =>
      row.staged !== undefined && row.staged.write === settles;
    // The write was committed after the rows were read, when some were not staged yet: reads them again.
    if (page.rows.some(isSettled)) page = await read(true);
  }
  return {
    ...page,
    rows: page.rows.map(({ sortKey, row }) => ({
      sortKey,
      ...row.to,
      ...currentRelations(row, from),
    })),
  };
}

/** The entities with relations to this one: one Query, and one more request during a staged write of one of them. */
export async function rowsBackward(
  table: Table,
  query: RelatedRowsQuery,
): Promise<MergedPage<RelatedRow>> {
  const startAt = (sortKey: string): PageKey => {
    const [, type = '', id = ''] = decodeTuple(sortKey);
    return { ...relationKey({ type, id }, query.entity) };
  };
  const page = await readRows(table, query, { index: 'gsi1', startAt });
  const unsure = page.rows.filter(({ row }) => row.staged !== undefined);
  const names = unsure.map(({ row }) => row.from);
  const entities = await fetchStagedEntities(table, names, query);
  return {
    ...page,
    rows: page.rows.map(({ sortKey, row }) => ({
      sortKey,
      ...row.from,
      ...currentRelations(row, entities.get(targetKey(row.from))),
    })),
  };
}

/** The relations of a row. @param from the source entity, needed where the row is staged */
export function currentRelations(
  row: RelationRow,
  from: Entity | undefined,
): Pick<RelatedRow, 'relations' | 'attributes'> {
  if (row.staged !== undefined && from?.gone === true) {
    return { relations: [], attributes: new Map() };
  }
  const relations = relationsOf(row, from?.settles);
  return { relations, attributes: linkAttributesOf(row, from?.settles) };
}

async function readRows(
  table: Table,
  { entity, otherType, descending, limit, after, budget, signal }: RelatedRowsQuery,
  how: { index?: 'gsi1'; startAt: (sortKey: string) => PageKey; consistent?: boolean },
): Promise<MergedPage<StoredRow>> {
  const { index, startAt, consistent = false } = how;
  const { items, next, units } = await table.query({
    ...(index && { index }),
    pk: entityPartition(entity),
    sk: rangeOf(otherType),
    descending,
    ...(after !== undefined && { after: startAt(after) }),
    // One extra row tells whether there is a next page.
    limit: limit + 1,
    consistent,
    signal,
  });
  budget.charge(units);
  const name = index === undefined ? 'sk' : 'gsi1sk';
  const rows = items.map((item) => ({ sortKey: item[name] as string, row: parseRelation(item) }));
  return mergeShards([{ rows, readUpTo: next?.[name] }], limit, { descending });
}

/** The sort-key range of relations to a type, or to any. */
export function rangeOf(otherType: string | undefined): { beginsWith: string } {
  return { beginsWith: otherType === undefined ? anyRelationPrefix : relationPrefix(otherType) };
}

/** Includes placeholders of staged writes. */
async function fetchStagedEntities(
  table: Table,
  names: readonly EntityName[],
  { budget, signal }: RequestLimits,
): Promise<Map<string, Entity>> {
  if (names.length === 0) return new Map();
  const keys = names.map(entityKey);
  const { items, units } = await table.getAll(keys, { consistent: true, signal });
  budget.charge(units);
  return new Map(items.map(parseEntity).map((entity) => [targetKey(entity), entity]));
}

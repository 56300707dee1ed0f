import { beforeRelations, entityPartition, parseKey, relationKey } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation, relationsOf, linkAttributesOf } from '@engawa/model';
import { byPresentName } from '../../migrations/present-entity.ts';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, RelationRow, ScalarValue } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

/** All items of one entity, as stored: its DynamoDB item collection. */
export interface ItemCollection {
  /** Its own item, which may be a placeholder or tombstone (`gone`). */
  entity?: Entity | undefined;
  own?: Document | undefined;
  /** Rows of searches and rankings, by their sort keys. */
  attributeRows: Map<string, Document>;
  text?: Document | undefined;
  leftOut?: Document | undefined;
  /** The row by which the expiry watch finds the entity. */
  expiry?: Document | undefined;
  /** By `targetKey` of the target; undefined where relations were not read. */
  relations?: Map<string, RelationRow> | undefined;
  /** Only some relations were read, among them all requested ones. */
  isPartial?: boolean | undefined;
  /** By `targetKey` of the target: relations to an earlier incarnation of it (`withoutStaleRelations`). */
  former?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** Present while a migration is pending: the current name of a stored relation; undefined where it was removed. */
  presentName?: (relation: string) => string | undefined;
  /** Consumed read units. */
  units: number;
}

/** The collection of an entity that does not exist. */
export const emptyCollection: ItemCollection = {
  attributeRows: new Map(),
  relations: new Map(),
  units: 0,
};

export interface ReadOptions {
  table: Table;
  signal?: AbortSignal | undefined;
}

/**
 * Which relations to read: all, none, or, where the entity has many, at least those to the targets that the function
 * returns.
 */
export type RelationsRead = 'all' | 'none' | ((entity: Entity) => readonly EntityName[]);

/**
 * Items of the first page where some relations are read: 3 to 4 read units. An entity has about 20 other items, with
 * sets 60.
 */
const firstPageItems = 100;

/**
 * Reads the items of an entity, strongly consistent: one Query per page; without relations, one Query; with some
 * relations, one Query, and one BatchGetItem where the first page lacks some of them.
 */
export async function readCollection(
  { table, signal }: ReadOptions,
  name: EntityName,
  relations: RelationsRead,
): Promise<ItemCollection> {
  const collection: ItemCollection = {
    attributeRows: new Map(),
    relations: relations === 'none' ? undefined : new Map(),
    units: 0,
  };
  const limit = typeof relations === 'function' ? firstPageItems : undefined;
  let after: PageKey | undefined;
  do {
    const page = await table.query({
      pk: entityPartition(name),
      sk: relations === 'none' ? beforeRelations : {},
      consistent: true,
      ...(after === undefined && limit !== undefined && { limit }),
      ...(after && { after }),
      ...(signal && { signal }),
    });
    collection.units += page.units;
    for (const item of page.items) add(collection, item);
    after = page.next;
    const { entity } = collection;
    if (
      after !== undefined &&
      typeof relations === 'function' &&
      mayBePartial(collection, entity)
    ) {
      return await readMissingRows({ table, signal }, collection, relations(entity));
    }
  } while (after !== undefined);
  return collection;
}

/** Whether all other items have been read, and the entity's own item has the number of relations. */
function mayBePartial({ relations }: ItemCollection, entity: Entity | undefined): entity is Entity {
  return entity?.relationCount !== undefined && relations !== undefined && relations.size > 0;
}

async function readMissingRows(
  { table, signal }: ReadOptions,
  collection: ItemCollection,
  targets: readonly EntityName[],
): Promise<ItemCollection> {
  const { entity, relations } = collection;
  const missing = targets.filter((to) => relations?.has(targetKey(to)) !== true);
  if (entity === undefined || missing.length === 0) return { ...collection, isPartial: true };
  const keys = missing.map((to) => {
    const { pk, sk } = relationKey(entity, to);
    return { pk, sk };
  });
  const { items, units } = await table.getAll(keys, {
    consistent: true,
    ...(signal && { signal }),
  });
  for (const item of items) add(collection, item);
  return { ...collection, isPartial: true, units: collection.units + units };
}

/** The number of relations that were not read. */
export function unreadRelations(collection: ItemCollection): number {
  if (collection.isPartial !== true) return 0;
  return (collection.entity?.relationCount ?? 0) - countIds(relationIds(collection));
}

export function countIds(relations: ReadonlyMap<string, readonly string[]>): number {
  return [...relations.values()].reduce((count, ids) => count + ids.length, 0);
}

/** The target ids of each relation, in table order, by the current names of the relations. */
export function relationIds(collection: ItemCollection): Map<string, string[]> {
  const { relations, presentName } = collection;
  const ids = new Map<string, string[]>();
  for (const row of relations?.values() ?? []) addIds(ids, row, visibleRelations(collection, row));
  return presentName === undefined ? ids : byPresentName(ids, presentName);
}

/** The names of the relations of a row, without those to an earlier incarnation of the target. */
export function visibleRelations(
  { entity, former }: ItemCollection,
  row: RelationRow,
): readonly string[] {
  const names = relationsOf(row, entity?.settles);
  const hidden = former?.get(targetKey(row.to));
  return hidden === undefined ? names : names.filter((name) => !hidden.has(name));
}

/** The target ids of each relation. @param settles the staged write that is committed */
export function idsByRelation(
  rows: Iterable<RelationRow>,
  settles: string | undefined,
): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const row of rows) addIds(ids, row, relationsOf(row, settles));
  return ids;
}

function addIds(ids: Map<string, string[]>, { to }: RelationRow, names: readonly string[]): void {
  for (const name of names) {
    const list = ids.get(name) ?? [];
    list.push(to.id);
    ids.set(name, list);
  }
}

/** The attributes of relations that have any, by relation name, then by target id. */
export function linksByRelation(
  rows: Iterable<RelationRow>,
  settles: string | undefined,
): LinksByRelation {
  const links = new Map<string, Map<string, ReadonlyMap<string, ScalarValue>>>();
  for (const row of rows) {
    for (const [name, attributes] of linkAttributesOf(row, settles)) {
      const byId = links.get(name) ?? new Map<string, ReadonlyMap<string, ScalarValue>>();
      links.set(name, byId.set(row.to.id, attributes));
    }
  }
  return links;
}

export type LinksByRelation = ReadonlyMap<
  string,
  ReadonlyMap<string, ReadonlyMap<string, ScalarValue>>
>;

function add(collection: ItemCollection, item: Document): void {
  const key = parseKey(keyOf(item));
  switch (key.item) {
    case 'entity':
      collection.own = item;
      collection.entity = parseEntity(item);
      return;
    case 'attributeRow':
      collection.attributeRows.set(keyOf(item).sk, item);
      return;
    case 'textRow':
      collection.text = item;
      return;
    case 'leftOutRow':
      collection.leftOut = item;
      return;
    case 'expiryRow':
      collection.expiry = item;
      return;
    case 'relation': {
      const row = parseRelation(item);
      collection.relations?.set(targetKey(row.to), row);
      return;
    }
    default:
      throw new TypeError(`a ${key.item} among the items of an entity`);
  }
}

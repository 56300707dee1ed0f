import { beforeRelations, entityPartition, parseKey, relationKey } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation, relationsOf, linkAttributesOf } from '@engawa/model';
import { byPresentName } from '../../migrations/present-entity.ts';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, RelationRow, ScalarValue } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

/** All items of one entity, as they are. */
export interface Collection {
  /** Its own item, which may stand for an entity that is not there (`gone`). */
  entity?: Entity | undefined;
  own?: Document | undefined;
  /** Of searches and rankings, by their sort keys. */
  attributeRows: Map<string, Document>;
  text?: Document | undefined;
  leftOut?: Document | undefined;
  /** By which it is found once it expires. */
  expiry?: Document | undefined;
  /** By the entity that they lead to; undefined where they were not asked for. */
  relations?: Map<string, RelationRow> | undefined;
  /** These are not all of its relations, but some, and those that were asked for. */
  isPart?: boolean | undefined;
  /** By the entity that they lead to: relations of rows that are not meant for what is there now (`withoutFormer`). */
  former?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** What its relations are called now, where rows may have earlier names; nothing of one that was taken away. */
  presentName?: (relation: string) => string | undefined;
  /** Read units that it took. */
  units: number;
}

/** Of an entity that is not there. */
export const nothing: Collection = { attributeRows: new Map(), relations: new Map(), units: 0 };

export interface ReadOptions {
  table: Table;
  signal?: AbortSignal | undefined;
}

/**
 * Which relations are read: all of them, none, or, where it has many, some, among them those that lead to the entities that
 * this names.
 */
export type RelationsRead = 'all' | 'none' | ((entity: Entity) => readonly EntityName[]);

/** Items of the first page where some relations are read: 3 to 4 read units. An entity has some 20 others, with sets 60. */
const firstItems = 100;

/**
 * All of it, in one Query a page, or, without its relations, in one. Where some are read, one Query, and one BatchGetItem
 * where those are not all. It sees every write that was answered before.
 */
export async function readCollection(
  { table, signal }: ReadOptions,
  name: EntityName,
  relations: RelationsRead,
): Promise<Collection> {
  const collection: Collection = {
    attributeRows: new Map(),
    relations: relations === 'none' ? undefined : new Map(),
    units: 0,
  };
  const isFirstOfSome = (after: PageKey | undefined) =>
    after === undefined && typeof relations === 'function';
  let after: PageKey | undefined;
  do {
    const page = await table.query({
      pk: entityPartition(name),
      sk: relations === 'none' ? beforeRelations : {},
      consistent: true,
      ...(isFirstOfSome(after) && { limit: firstItems }),
      ...(after && { after }),
      ...(signal && { signal }),
    });
    collection.units += page.units;
    for (const item of page.items) add(collection, item);
    after = page.next;
    const { entity } = collection;
    if (after !== undefined && typeof relations === 'function' && mayBePart(collection, entity)) {
      return await withRows({ table, signal }, collection, relations(entity));
    }
  } while (after !== undefined);
  return collection;
}

/** All that is no relation has been read, and how many relations there are is known without them. */
function mayBePart({ relations }: Collection, entity: Entity | undefined): entity is Entity {
  return entity?.relationCount !== undefined && relations !== undefined && relations.size > 0;
}

async function withRows(
  { table, signal }: ReadOptions,
  collection: Collection,
  targets: readonly EntityName[],
): Promise<Collection> {
  const { entity, relations } = collection;
  const missing = targets.filter((to) => relations?.has(targetKey(to)) !== true);
  if (entity === undefined || missing.length === 0) return { ...collection, isPart: true };
  const keys = missing.map((to) => {
    const { pk, sk } = relationKey(entity, to);
    return { pk, sk };
  });
  const { items, units } = await table.getAll(keys, {
    consistent: true,
    ...(signal && { signal }),
  });
  for (const item of items) add(collection, item);
  return { ...collection, isPart: true, units: collection.units + units };
}

/** Relations of the entity that were not read. */
export function unreadRelations(collection: Collection): number {
  if (collection.isPart !== true) return 0;
  return (collection.entity?.relationCount ?? 0) - countOf(relationIds(collection));
}

export function countOf(relations: ReadonlyMap<string, readonly string[]>): number {
  return [...relations.values()].reduce((count, ids) => count + ids.length, 0);
}

/** The ids that each of its relations leads to, in the order of the table. */
export function relationIds(collection: Collection): Map<string, string[]> {
  const { relations, presentName } = collection;
  const ids = new Map<string, string[]>();
  for (const row of relations?.values() ?? []) addIds(ids, row, visibleRelations(collection, row));
  return presentName === undefined ? ids : byPresentName(ids, presentName);
}

/** The relations that a row of the entity stands for. */
export function visibleRelations(
  { entity, former }: Collection,
  row: RelationRow,
): readonly string[] {
  const names = relationsOf(row, entity?.settles);
  const hidden = former?.get(targetKey(row.to));
  return hidden === undefined ? names : names.filter((name) => !hidden.has(name));
}

/** The ids that each relation leads to by these rows, where that staged write counts. */
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

/** By the name of the relation, then by the id that it leads to: its attributes, where it has any. */
export function linksByRelation(
  rows: Iterable<RelationRow>,
  settles: string | undefined,
): ShownLinks {
  const links = new Map<string, Map<string, ReadonlyMap<string, ScalarValue>>>();
  for (const row of rows) {
    for (const [name, attributes] of linkAttributesOf(row, settles)) {
      const byId = links.get(name) ?? new Map<string, ReadonlyMap<string, ScalarValue>>();
      links.set(name, byId.set(row.to.id, attributes));
    }
  }
  return links;
}

export type ShownLinks = ReadonlyMap<string, ReadonlyMap<string, ReadonlyMap<string, ScalarValue>>>;

function add(collection: Collection, item: Document): void {
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

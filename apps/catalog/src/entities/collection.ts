import { beforeRelations, entityPartition, parseKey } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation, relationsOf, linkAttributesOf } from '@engawa/model';
import { byPresentName } from '../migrations/present-entity.ts';
import { targetKey } from './wanted-items.ts';
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

/** All of it, in one Query a page, or, without its relations, in one. It sees every write that was answered before. */
export async function readCollection(
  { table, signal }: ReadOptions,
  name: EntityName,
  { withRelations }: { withRelations: boolean },
): Promise<Collection> {
  const collection: Collection = {
    attributeRows: new Map(),
    relations: withRelations ? new Map() : undefined,
    units: 0,
  };
  let after: PageKey | undefined;
  do {
    const page = await table.query({
      pk: entityPartition(name),
      sk: withRelations ? {} : beforeRelations,
      consistent: true,
      ...(after && { after }),
      ...(signal && { signal }),
    });
    collection.units += page.units;
    for (const item of page.items) add(collection, item);
    after = page.next;
  } while (after !== undefined);
  return collection;
}

/** The ids that each of its relations leads to, in the order of the table. */
export function relationIds({ entity, relations, presentName }: Collection): Map<string, string[]> {
  const ids = idsByRelation(relations?.values() ?? [], entity?.settles);
  return presentName === undefined ? ids : byPresentName(ids, presentName);
}

/** The ids that each relation leads to by these rows, where that staged write counts. */
export function idsByRelation(
  rows: Iterable<RelationRow>,
  settles: string | undefined,
): Map<string, string[]> {
  const ids = new Map<string, string[]>();
  for (const row of rows) {
    for (const name of relationsOf(row, settles)) {
      const list = ids.get(name) ?? [];
      list.push(row.to.id);
      ids.set(name, list);
    }
  }
  return ids;
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

import { entityKey, entityPartition, parseKey, relationKey, anyRelationPrefix } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation } from '@engawa/model';
import { idsByRelation, linksByRelation } from './item-collection.ts';
import { entityNotFound } from './expected-entity.ts';
import { fieldPaths } from '../../values/fields.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity } from '@engawa/model';
import type { ItemPage, Table } from '@engawa/table';
import type { LinksByRelation } from './item-collection.ts';
import type { Fields } from '../../values/fields.ts';

export interface GetEntityQuery {
  name: EntityName;
  /** Maximum number of relations. */
  limit: number;
  /** The last target of the previous page. */
  after?: EntityName | undefined;
  /** If no field is a relation to many, only the entity's own item is read. */
  fields?: Fields | undefined;
  many: Pick<ReadonlySet<string>, 'has'>;
  signal: AbortSignal;
}

export interface EntityPage {
  entity: Entity;
  /** The target ids of each relation on this page. */
  relations: ReadonlyMap<string, readonly string[]>;
  links: LinksByRelation;
  after?: EntityName | undefined;
}

/**
 * Items of an entity besides relations: its own item and its text, search, ranking, left-out and expiry rows; searches
 * with sets may have more.
 */
const maxOtherItems = 24;

/**
 * Reads an entity and a page of its relations: one Query; on further pages, also one GetItem.
 * @throws Problem `entity-not-found`
 */
export async function getEntity(table: Table, query: GetEntityQuery): Promise<EntityPage> {
  const { name, limit, after, fields, many, signal } = query;
  if (fields !== undefined && ![...fields].some((name) => many.has(name))) {
    return getEntityFields(table, { name, fields, signal });
  }
  const nextPage = after === undefined ? undefined : readNextPage(table, query, after);
  const [page, own] = await Promise.all([
    nextPage ?? firstPage(table, query),
    after === undefined ? undefined : table.get(entityKey(name), { consistent: true, signal }),
  ]);
  const entity = entityAmong(own === undefined ? page.items : [own]);
  if (entity === undefined || entity.gone === true) throw entityNotFound(name);
  const rows = page.items.filter(isRelation).map(parseRelation);
  const shown = rows.slice(0, limit);
  const isMore = rows.length > limit || page.next !== undefined;
  return {
    entity,
    relations: idsByRelation(shown, entity.settles),
    links: linksByRelation(shown, entity.settles),
    after: isMore ? shown.at(-1)?.to : undefined,
  };
}

/** One GetItem. */
async function getEntityFields(
  table: Table,
  { name, fields, signal }: Pick<GetEntityQuery, 'name' | 'signal'> & { fields: Fields },
): Promise<EntityPage> {
  const request = { consistent: true, fields: fieldPaths(fields), signal };
  const item = await table.get(entityKey(name), request);
  const entity = item && parseEntity(item);
  if (entity === undefined || entity.gone === true) throw entityNotFound(name);
  return { entity, relations: new Map(), links: new Map() };
}

/** Reads further pages where other items fill the first: with 1 MB, or with many search rows of a set. */
async function firstPage(table: Table, { name, limit, signal }: GetEntityQuery): Promise<ItemPage> {
  const pk = entityPartition(name);
  const page = await table.query({
    pk,
    limit: limit + maxOtherItems + 1,
    consistent: true,
    signal,
  });
  for (;;) {
    const missing = limit + 1 - page.items.filter(isRelation).length;
    const { next: after } = page;
    if (after === undefined || missing <= 0) return page;
    const request = { pk, limit: missing + maxOtherItems, after, consistent: true, signal };
    const more = await table.query(request);
    page.items.push(...more.items);
    page.next = more.next;
  }
}

function readNextPage(table: Table, { name, limit, signal }: GetEntityQuery, after: EntityName) {
  const { pk, sk } = relationKey(name, after);
  return table.query({
    pk,
    sk: { beginsWith: anyRelationPrefix },
    after: { pk, sk },
    limit: limit + 1,
    consistent: true,
    signal,
  });
}

function entityAmong(items: readonly Document[]): Entity | undefined {
  const own = items.find((item) => parseKey(keyOf(item)).item === 'entity');
  return own && parseEntity(own);
}

function isRelation(item: Document): boolean {
  return parseKey(keyOf(item)).item === 'relation';
}

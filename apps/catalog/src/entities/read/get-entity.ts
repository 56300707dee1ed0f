import { Problem } from '@engawa/errors';
import { entityKey, entityPartition, parseKey, relationKey, anyRelationPrefix } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation } from '@engawa/model';
import { idsByRelation, linksByRelation } from './item-collection.ts';
import { entityNotFound, isSameRevision } from './expected-entity.ts';
import { relationBytes } from './relation-bytes.ts';
import { fieldPaths } from '../../values/fields.ts';
import type { Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, RelationRow } from '@engawa/model';
import type { ItemPage, Table } from '@engawa/table';
import type { LinksByRelation } from './item-collection.ts';
import type { Fields } from '../../values/fields.ts';

export interface GetEntityQuery {
  name: EntityName;
  /** Maximum number of relations. */
  limit: number;
  /** The last target of the previous page, and the revision of the entity on that page. */
  after?: RelationPosition | undefined;
  /** If no field is a relation to many, only the entity's own item is read. */
  fields?: Fields | undefined;
  many: Pick<ReadonlySet<string>, 'has'>;
  /** Maximum bytes of the relations as JSON. A page has at least one of them. */
  maxBytes: number;
  signal: AbortSignal;
}

/** A place among the relations of one revision of an entity. */
export type RelationPosition = EntityName & Revision;

export interface EntityPage {
  entity: Entity;
  /** The target ids of each relation on this page. */
  relations: ReadonlyMap<string, readonly string[]>;
  links: LinksByRelation;
  after?: RelationPosition | undefined;
}

/**
 * Items of an entity besides relations: its own item and its text, search, ranking, left-out and expiry rows; searches
 * with sets may have more.
 */
const maxOtherItems = 24;

/**
 * Reads an entity and a page of its relations: one Query; on further pages, also one GetItem. All pages are of one
 * revision, so that together they are a set of relations that the entity had.
 * @throws Problem `entity-not-found`; `version-mismatch` where the entity has changed since the previous page
 */
export async function getEntity(table: Table, query: GetEntityQuery): Promise<EntityPage> {
  const { name, limit, after, fields, many, maxBytes, signal } = query;
  if (fields !== undefined && ![...fields].some((name) => many.has(name))) {
    return getEntityFields(table, { name, fields, signal });
  }
  const { page, entity } =
    after === undefined ? await firstPage(table, query) : await nextPage(table, query, after);
  if (entity === undefined || entity.gone === true) throw entityNotFound(name);
  const rows = page.items.filter(isRelation).map(parseRelation);
  const shown = fittingRows(rows.slice(0, limit), entity.settles, maxBytes);
  const isMore = rows.length > shown.length || page.next !== undefined;
  return {
    entity,
    relations: idsByRelation(shown, entity.settles),
    links: linksByRelation(shown, entity.settles),
    after: isMore ? positionAfter(shown.at(-1), entity) : undefined,
  };
}

/** The first rows whose relations fit a page together, at least one. */
function fittingRows(
  rows: readonly RelationRow[],
  settles: string | undefined,
  maxBytes: number,
): readonly RelationRow[] {
  let bytes = 0;
  const end = rows.findIndex((row, index) => {
    bytes += relationBytes(row, settles);
    return bytes > maxBytes && index > 0;
  });
  return end === -1 ? rows : rows.slice(0, end);
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

function positionAfter(
  row: RelationRow | undefined,
  { version, creation }: Entity,
): RelationPosition | undefined {
  return row && { ...row.to, version, creation };
}

interface ReadPage {
  page: ItemPage;
  entity: Entity | undefined;
}

/** Begins again where the entity changes between two Queries. */
async function firstPage(table: Table, query: GetEntityQuery): Promise<ReadPage> {
  for (;;) {
    const { page, queries } = await readFirstPage(table, query);
    const entity = entityAmong(page.items);
    if (queries === 1 || entity === undefined) return { page, entity };
    const now = await readOwn(table, query);
    if (now !== undefined && isSameRevision(now, entity)) return { page, entity };
  }
}

/** The entity is read after the relations: if it is unchanged then, it had these relations. */
async function nextPage(
  table: Table,
  query: GetEntityQuery,
  after: RelationPosition,
): Promise<ReadPage> {
  const page = await readNextPage(table, query, after);
  const entity = await readOwn(table, query);
  if (entity === undefined || isSameRevision(entity, after)) return { page, entity };
  const { type, id } = query.name;
  const detail = `${type} "${id}" has changed since the first page of its relations; begin again.`;
  throw new Problem('version-mismatch', detail);
}

async function readOwn(
  table: Table,
  { name, signal }: Pick<GetEntityQuery, 'name' | 'signal'>,
): Promise<Entity | undefined> {
  const own = await table.get(entityKey(name), { consistent: true, signal });
  return own && parseEntity(own);
}

/** Reads further pages where other items fill the first: with 1 MB, or with many search rows of a set. */
async function readFirstPage(
  table: Table,
  { name, limit, signal }: GetEntityQuery,
): Promise<{ page: ItemPage; queries: number }> {
  const pk = entityPartition(name);
  const page = await table.query({
    pk,
    limit: limit + maxOtherItems + 1,
    consistent: true,
    signal,
  });
  for (let queries = 1; ; queries++) {
    const missing = limit + 1 - page.items.filter(isRelation).length;
    const { next: after } = page;
    if (after === undefined || missing <= 0) return { page, queries };
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

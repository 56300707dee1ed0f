import { entityKey, entityPartition, parseKey, relationKey, anyRelationPrefix } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation } from '@engawa/model';
import { idsByRelation, linksByRelation } from './item-collection.ts';
import { notFound } from './expected-entity.ts';
import { pathsOf } from '../../values/fields.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity } from '@engawa/model';
import type { ItemPage, Table } from '@engawa/table';
import type { ShownLinks } from './item-collection.ts';
import type { Fields } from '../../values/fields.ts';

export interface GetEntityQuestion {
  name: EntityName;
  /** Relations at most. */
  limit: number;
  /** From the page before: behind this entity. */
  after?: EntityName | undefined;
  /** Without any that is a relation to many, its item alone is read. */
  fields?: Fields | undefined;
  many: Pick<ReadonlySet<string>, 'has'>;
  signal: AbortSignal;
}

export interface EntityPage {
  entity: Entity;
  /** Of this page: the ids that each relation leads to. */
  relations: ReadonlyMap<string, readonly string[]>;
  links: ShownLinks;
  after?: EntityName | undefined;
}

/** Items of an entity that are no relations: itself, its texts, what searches and rankings have of it, what not, and when it expires; more only of sets. */
const otherItems = 24;

/**
 * An entity and a page of its relations: one Query, and, on further pages, one GetItem.
 * @throws Problem `entity-not-found`
 */
export async function getEntity(table: Table, question: GetEntityQuestion): Promise<EntityPage> {
  const { name, limit, after, fields, many, signal } = question;
  if (fields !== undefined && ![...fields].some((name) => many.has(name))) {
    return getFields(table, { name, fields, signal });
  }
  const further = after === undefined ? undefined : furtherPage(table, question, after);
  const [page, own] = await Promise.all([
    further ?? firstPage(table, question),
    after === undefined ? undefined : table.get(entityKey(name), { consistent: true, signal }),
  ]);
  const entity = entityAmong(own === undefined ? page.items : [own]);
  if (entity === undefined || entity.gone === true) throw notFound(name);
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
async function getFields(
  table: Table,
  { name, fields, signal }: Pick<GetEntityQuestion, 'name' | 'signal'> & { fields: Fields },
): Promise<EntityPage> {
  const asked = { consistent: true, fields: pathsOf(fields), signal };
  const item = await table.get(entityKey(name), asked);
  const entity = item && parseEntity(item);
  if (entity === undefined || entity.gone === true) throw notFound(name);
  return { entity, relations: new Map(), links: new Map() };
}

/** Goes on where what is no relation fills a page of a Query: with 1 MB, or with the rows of a set that is searched. */
async function firstPage(
  table: Table,
  { name, limit, signal }: GetEntityQuestion,
): Promise<ItemPage> {
  const pk = entityPartition(name);
  const page = await table.query({ pk, limit: limit + otherItems + 1, consistent: true, signal });
  for (;;) {
    const missing = limit + 1 - page.items.filter(isRelation).length;
    const { next: after } = page;
    if (after === undefined || missing <= 0) return page;
    const asked = { pk, limit: missing + otherItems, after, consistent: true, signal };
    const more = await table.query(asked);
    page.items.push(...more.items);
    page.next = more.next;
  }
}

function furtherPage(table: Table, { name, limit, signal }: GetEntityQuestion, after: EntityName) {
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

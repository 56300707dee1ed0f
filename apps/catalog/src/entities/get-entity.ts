import { entityKey, entityPartition, parseKey, relationKey, anyRelationPrefix } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation } from '@engawa/model';
import { idsByRelation } from './collection.ts';
import { notFound } from './expected.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity } from '@engawa/model';
import type { Page, Table } from '@engawa/table';

export interface GetEntityQuestion {
  name: EntityName;
  /** Relations at most. */
  limit: number;
  /** From the page before: behind this entity. */
  after?: EntityName | undefined;
  signal: AbortSignal;
}

export interface EntityPage {
  entity: Entity;
  /** Of this page: the ids that each relation leads to. */
  relations: ReadonlyMap<string, readonly string[]>;
  after?: EntityName | undefined;
}

/** Items of an entity that are no relations, at most: itself, its texts, and what searches and rankings have of it. */
const otherItems = 22;

/**
 * An entity and a page of its relations: one Query, and, on further pages, one GetItem.
 * @throws Problem `entity-not-found`
 */
export async function getEntity(table: Table, question: GetEntityQuestion): Promise<EntityPage> {
  const { name, limit, after, signal } = question;
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
    after: isMore ? shown.at(-1)?.to : undefined,
  };
}

/** Goes on where what is not a relation fills a page of a Query (1 MB). */
async function firstPage(table: Table, { name, limit, signal }: GetEntityQuestion): Promise<Page> {
  const pk = entityPartition(name);
  const wanted = limit + otherItems + 1;
  const page = await table.query({ pk, limit: wanted, consistent: true, signal });
  while (page.next !== undefined && page.items.length < wanted) {
    const missing = wanted - page.items.length;
    const more = await table.query({
      pk,
      limit: missing,
      after: page.next,
      consistent: true,
      signal,
    });
    page.items.push(...more.items);
    page.next = more.next;
  }
  return page;
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

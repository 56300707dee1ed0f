import { entityKey, entityPartition, parseKey, relationKey, anyRelationPrefix } from '@engawa/keys';
import { keyOf, parseEntity, parseRelation } from '@engawa/model';
import { idsByRelation } from './collection.ts';
import { notFound } from './expected.ts';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity } from '@engawa/model';
import type { Table } from '@engawa/table';

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
    further ??
      table.query({
        pk: entityPartition(name),
        limit: limit + otherItems + 1,
        consistent: true,
        signal,
      }),
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

import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { contentOf, nextEntity } from '../write/next-entity.ts';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { ItemCollection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';
import type { DesiredEntity } from '../write/write-plan.ts';

/** The desired entity without its relations to a deleted one; undefined where they lead to a later incarnation. */
export async function withoutRelation(
  { table }: { table: Table },
  before: ItemCollection,
  { type, to }: { type: EntityType; to: EntityName },
): Promise<DesiredEntity | undefined> {
  const { entity } = before;
  const row = before.relations?.get(targetKey(to));
  if (entity === undefined || row === undefined) return undefined;
  // The target is read after the row: a row that led to the deleted target does not apply to a later incarnation.
  const current = await incarnationOf(table, to);
  if (current !== undefined && current.incarnation === row.incarnation) return undefined;
  const content = withoutRelationsTo(to, contentOf(before), type);
  const name = { type: entity.type, id: entity.id };
  const next = nextEntity({ name, type, before: entity, content });
  return { entity: next, relations: content.relations };
}

/** The incarnation of an entity; undefined where it does not exist. One GetItem. */
export async function incarnationOf(
  table: Table,
  name: EntityName,
): Promise<{ incarnation: string | undefined } | undefined> {
  const item = await table.get(entityKey(name), { consistent: true });
  const entity = item && parseEntity(item);
  return entity === undefined || entity.gone === true
    ? undefined
    : { incarnation: entity.incarnation };
}

/** The content without relations to an entity. */
function withoutRelationsTo(to: EntityName, content: Content, type: EntityType): Content {
  const leading = new Set(
    type.relations.filter((one) => one.to === to.type).map(({ name }) => name),
  );
  const relations = [...content.relations].map(
    ([name, ids]) => [name, leading.has(name) ? ids.filter((id) => id !== to.id) : ids] as const,
  );
  return { ...content, relations: new Map(relations) };
}

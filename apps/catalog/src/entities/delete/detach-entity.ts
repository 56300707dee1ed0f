import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { contentOf, nextEntity } from '../write/next-entity.ts';
import { targetKey } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { EntityType } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Collection } from '../read/item-collection.ts';
import type { Content } from '../content/content.ts';
import type { Wanted } from '../write/write-plan.ts';

/** What an entity is to be without its relations to one that was deleted; undefined where they are not to that. */
export async function withoutRow(
  { table }: { table: Table },
  before: Collection,
  { type, to }: { type: EntityType; to: EntityName },
): Promise<Wanted | undefined> {
  const { entity } = before;
  const row = before.relations?.get(targetKey(to));
  if (entity === undefined || row === undefined) return undefined;
  // In this order: what led there when there was nothing is not meant for what came later.
  const there = await incarnationOf(table, to);
  if (there !== undefined && there.incarnation === row.incarnation) return undefined;
  const content = withoutRelationsTo(to, contentOf(before), type);
  const name = { type: entity.type, id: entity.id };
  const next = nextEntity({ name, type, before: entity, content });
  return { entity: next, relations: content.relations };
}

/** Undefined where it is not there; one GetItem. */
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

/** What it says of itself without what leads to an entity. */
function withoutRelationsTo(to: EntityName, content: Content, type: EntityType): Content {
  const leading = new Set(
    type.relations.filter((one) => one.to === to.type).map(({ name }) => name),
  );
  const relations = [...content.relations].map(
    ([name, ids]) => [name, leading.has(name) ? ids.filter((id) => id !== to.id) : ids] as const,
  );
  return { ...content, relations: new Map(relations) };
}

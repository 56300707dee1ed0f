import { changesRelations } from '../../migrations/present-entity.ts';
import { Overtaken } from '../write/commit.ts';
import { relationTargets } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { RelationChange } from '../content/check-changes.ts';
import type { Collection, RelationsRead } from '../read/item-collection.ts';

/**
 * What a change of these relations has to read: the rows that it names, where it only adds and takes away; all, where it says
 * all that a relation to many leads to, or where a migration may have to write all of them.
 */
export function relationsRead(
  type: EntityType,
  changes: ReadonlyMap<string, RelationChange>,
): RelationsRead {
  if (changes.size === 0) return 'none';
  const many = new Set(type.relations.filter((one) => one.many).map(({ name }) => name));
  if ([...changes].some(([name, change]) => many.has(name) && !('add' in change))) return 'all';
  const named = [...changes].map(
    ([name, change]) =>
      [name, 'add' in change ? [...change.add, ...change.remove] : change] as const,
  );
  return rowsTo(
    type,
    [...relationTargets(type, new Map(named)).values()].map(({ to }) => to),
  );
}

/** The rows that lead to these entities, and to where its relations to one lead, which are part of what it says of itself. */
export function rowsTo(type: EntityType, targets: readonly EntityName[]): RelationsRead {
  if (changesRelations(type)) return 'all';
  return ({ one }: Entity) => {
    const ids = new Map([...one].map(([name, id]) => [name, [id]] as const));
    return [...targets, ...[...relationTargets(type, ids).values()].map(({ to }) => to)];
  };
}

/** @throws Overtaken where its type has begun a migration since it was read, which has to see all relations */
export function refusePart({ isPart }: Collection, type: EntityType): void {
  if (isPart === true && changesRelations(type)) throw new Overtaken();
}

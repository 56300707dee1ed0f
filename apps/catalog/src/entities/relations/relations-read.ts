import { changesRelations } from '../../migrations/present-entity.ts';
import { WriteConflict } from '../write/commit.ts';
import { relationTargets } from '../items/entity-items.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { RelationChange } from '../content/check-changes.ts';
import type { ItemCollection, RelationsRead } from '../read/item-collection.ts';

/**
 * The relations that a change has to read: the rows of the named targets where it only adds and removes; all where it
 * replaces a relation to many, or where a pending migration may rewrite all rows.
 */
export function relationsToRead(
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
  return relationRowsTo(
    type,
    [...relationTargets(type, new Map(named)).values()].map(({ to }) => to),
  );
}

/** The rows of these targets, and of the targets of relations to one, which are part of the entity's content. */
export function relationRowsTo(type: EntityType, targets: readonly EntityName[]): RelationsRead {
  if (changesRelations(type)) return 'all';
  return ({ one }: Entity) => {
    const ids = new Map([...one].map(([name, id]) => [name, [id]] as const));
    return [...targets, ...[...relationTargets(type, ids).values()].map(({ to }) => to)];
  };
}

/** @throws WriteConflict where its type got a migration of relations since it was read, which needs all rows */
export function refusePartial({ isPartial }: ItemCollection, type: EntityType): void {
  if (isPartial === true && changesRelations(type)) throw new WriteConflict();
}

import { pendingSteps, presentEntity, presentName } from '../../migrations/present-entity.ts';
import type { EntityType } from '@engawa/model';
import type { ItemCollection } from './item-collection.ts';

/**
 * The items of an entity as its type declares it now. Relation rows stay as stored; `presentName` translates their
 * names.
 */
export function presentCollection(collection: ItemCollection, type: EntityType): ItemCollection {
  const { entity } = collection;
  const steps = pendingSteps(type);
  if (steps.length === 0) return collection;
  return {
    ...collection,
    ...(entity && { entity: presentEntity(entity, type) }),
    presentName: (name) => presentName(name, steps),
  };
}

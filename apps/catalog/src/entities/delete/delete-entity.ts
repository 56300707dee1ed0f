import { parseEntity } from '@engawa/model';
import { presentCollection } from '../read/present-collection.ts';
import { checkLayout, typeOf } from '../../types/known/with-current-type.ts';
import { refuseUnmetConditions } from '../content/conditions.ts';
import { expectEntity } from '../read/expected-entity.ts';
import { newDeletionIntent } from './deletion-intent.ts';
import { planDeletion } from './plan-deletion.ts';
import { isRelatedTo, refuseRelated } from './related-entities.ts';
import type { Revision } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';
import type { KnownTypes, TypesMemory } from '../../types/known/known-types.ts';
import type { ItemCollection } from '../read/item-collection.ts';
import type { AttributeCondition } from '../content/conditions.ts';
import type { EntityStore } from '../write/entity-store.ts';
import type { WritePlan } from '../write/write-plan.ts';
import type { DeletionIntent } from './deletion-intent.ts';

export interface DeleteEntityOptions {
  table: Table;
  shards: Shards;
  types: KnownTypes & TypesMemory;
  entities: EntityStore;
  /** The replica that claims the intent record; without it, any replica takes it. */
  by?: string;
}

export interface Deletion {
  name: EntityName;
  revision: Revision | undefined;
  /** Whether to delete it despite incoming relations, which are then removed in the background. */
  detach: boolean;
  /** Checked against the entity at the moment of its deletion. */
  conditions: readonly AttributeCondition[];
  /** Layout of the type that the conditions were validated against. */
  layout?: number | undefined;
}

/**
 * Deletes an entity with its relations and rows in one transaction: a Query for each page of its items, one for each
 * page of its incoming relations, and one write.
 * @returns the intent record of the incoming relations to remove; undefined where no type has relations to this type
 * @throws Problem `entity-not-found`, `version-mismatch`, `condition-failed`, `still-related`
 */
export async function deleteEntity(
  options: DeleteEntityOptions,
  deletion: Deletion,
): Promise<DeletionIntent | undefined> {
  const { types, entities } = options;
  const { name, detach, layout } = deletion;
  await types.get(name.type);
  const mayBeRelated = await isRelatedTo(types, name.type);
  return entities.retryOnConflict(name, async () => {
    const before = await entities.read(name, { relations: 'all', expired: 'hide' });
    const type = await typeOf(types, name, before.entity);
    checkLayout(type, layout);
    const entity = expectedEntity(before, type, deletion);
    if (mayBeRelated && !detach) await refuseRelated(options, entity);
    const at = Math.max(Date.now(), entity.updatedAt + 1);
    const intent = mayBeRelated ? newDeletionIntent(name, at, options.by) : undefined;
    const plan = planDeletion(before, entity, { type, at, intent, shards: options.shards });
    const replan = (own: Document): WritePlan => {
      expectedEntity({ ...before, entity: parseEntity(own) }, type, deletion);
      return plan;
    };
    await entities.write(before.entity, { ...plan, replan });
    return intent;
  });
}

/**
 * The entity as stored.
 * @throws Problem where it is not the revision, or does not meet the conditions, of the deletion
 */
function expectedEntity(
  before: ItemCollection,
  type: EntityType,
  { name, revision, conditions }: Deletion,
): Entity {
  const entity = expectEntity(before, name, revision);
  refuseUnmetConditions(conditions, presentCollection(before, type).entity ?? entity);
  return entity;
}

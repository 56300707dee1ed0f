import { isRelatedTo, noteOf, planDeletion } from '../entities/delete/delete-entity.ts';
import { presentEntity } from '../migrations/present-entity.ts';
import { typeOf } from '../types/known/by-current-type.ts';
import { isExpired } from '../entities/items/expiry-time.ts';
import type { EntityName } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Shards } from '@engawa/table';
import type { Collection } from '../entities/read/item-collection.ts';
import type { DeleteEntityOptions, Note } from '../entities/delete/delete-entity.ts';
import type { Plan } from '../entities/write/write-plan.ts';

/** The deletion of an entity that has expired, and the note of what is left to do where others may relate to it. */
export function planExpiry(
  before: Collection,
  entity: Entity,
  {
    type,
    shards,
    isRelated,
    by,
  }: { type: EntityType; shards: Shards; isRelated: boolean; by?: string | undefined },
): { plan: Plan; note: Note | undefined } {
  const at = Math.max(Date.now(), entity.updatedAt + 1);
  const note = isRelated ? noteOf(entity, at, by) : undefined;
  return { plan: planDeletion(before, entity, { type, at, note, shards }), note };
}

/**
 * Deletes an entity whose instant was before `dueBefore` (epoch milliseconds), as `DELETE …?detach=true` does. Where another
 * has written to it since it was read, it is looked at again: one that has been extended stays.
 * @returns whether it was deleted, and what is left to do
 */
export async function expireEntity(
  { types, entities, shards, by }: DeleteEntityOptions,
  name: EntityName,
  dueBefore: number,
): Promise<{ deleted: boolean; note?: Note | undefined }> {
  const isRelated = await isRelatedTo(types, name.type);
  return entities.untilNotOvertaken(name, async () => {
    const before = await entities.read(name, { relations: 'all' });
    const { entity } = before;
    if (entity === undefined || entity.gone === true) return { deleted: false };
    const type = await typeOf(types, name, entity);
    if (!isExpired(type, presentEntity(entity, type), dueBefore)) return { deleted: false };
    const { plan, note } = planExpiry(before, entity, { type, shards, isRelated, by });
    await entities.write(entity, plan);
    return { deleted: true, note };
  });
}

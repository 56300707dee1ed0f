import { planExpiry } from '../entities/delete/plan-deletion.ts';
import { isRelatedTo } from '../entities/delete/related-entities.ts';
import { isExpired } from '../entities/items/expiry-time.ts';
import { presentEntity } from '../migrations/present-entity.ts';
import { typeOf } from '../types/known/with-current-type.ts';
import type { EntityName } from '@engawa/keys';
import type { DeleteEntityOptions } from '../entities/delete/delete-entity.ts';
import type { DeletionIntent } from '../entities/delete/deletion-intent.ts';

/**
 * Deletes an entity whose expiry time is before `dueBefore` (epoch milliseconds), as `DELETE …?detach=true` does. A
 * concurrent write makes it read the entity again, so an entity whose expiry time was postponed stays.
 * @returns whether it was deleted, and the intent record of the relations that are left to remove
 */
export async function expireEntity(
  { types, entities, shards, by }: DeleteEntityOptions,
  name: EntityName,
  dueBefore: number,
): Promise<{ deleted: boolean; intent?: DeletionIntent | undefined }> {
  const isRelated = await isRelatedTo(types, name.type);
  return entities.retryOnConflict(name, async () => {
    const before = await entities.read(name, { relations: 'all' });
    const { entity } = before;
    if (entity === undefined || entity.gone === true) return { deleted: false };
    const type = await typeOf(types, name, entity);
    if (!isExpired(type, presentEntity(entity, type), dueBefore)) return { deleted: false };
    const { plan, intent } = planExpiry(before, entity, { type, shards, isRelated, by });
    await entities.write(entity, plan);
    return { deleted: true, intent };
  });
}

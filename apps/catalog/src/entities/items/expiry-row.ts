import { expiryFamily, expiryIndexKey, expiryKey, shardOf } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { expiryTime } from './expiry-time.ts';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';

/**
 * The writes of the expiry row, by which the expiry watch finds the entity. The row is in the entity's item collection,
 * so it is deleted with the entity, and never applies to a recreated entity.
 */
export function expiryChanges(
  stored: Document | undefined,
  entity: Entity,
  { type, shards }: { type: EntityType; shards: Shards },
): Write[] {
  const expiresAt = expiryTime(type, entity);
  if (expiresAt === undefined) return expiryRemoval(stored);
  const name = { type: entity.type, id: entity.id };
  const shard = shardOf(entity.id, shards.toWrite(expiryFamily));
  const index = expiryIndexKey(shard, expiresAt, name);
  // An unchanged expiry time keeps its shard.
  if (stored?.['gsi2sk'] === index.gsi2sk) return [];
  return [{ put: { ...expiryKey(name), ...index } }];
}

export function expiryRemoval(stored: Document | undefined): Write[] {
  return stored === undefined ? [] : [{ delete: keyOf(stored) }];
}

import { expiryFamily, expiryIndexKey, expiryKey, shardOf } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { expiryTime } from './expiry-time.ts';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';

/**
 * The writes of the expiry row, by which an expired entity is found. The row is in the entity's item collection, so it
 * is deleted with the entity, and never applies to a recreated one.
 */
export function expiryChanges(
  there: Document | undefined,
  entity: Entity,
  { type, shards }: { type: EntityType; shards: Shards },
): Write[] {
  const expiresAt = expiryTime(type, entity);
  if (expiresAt === undefined) return expiryRemoval(there);
  const name = { type: entity.type, id: entity.id };
  const shard = shardOf(entity.id, shards.toWrite(expiryFamily));
  const index = expiryIndexKey(shard, expiresAt, name);
  // An unchanged expiry time keeps its shard.
  if (there?.['gsi2sk'] === index.gsi2sk) return [];
  return [{ put: { ...expiryKey(name), ...index } }];
}

export function expiryRemoval(there: Document | undefined): Write[] {
  return there === undefined ? [] : [{ delete: keyOf(there) }];
}

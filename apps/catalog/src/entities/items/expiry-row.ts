import { expiryFamily, expiryIndexKey, expiryKey, shardOf } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { expiryTime } from './expiry-time.ts';
import type { Document, Entity, EntityType } from '@engawa/model';
import type { Shards, Write } from '@engawa/table';

/**
 * What has to be written for an entity to be found once it expires: one row among its own items, so that it goes with the
 * entity, and names no other that is created under its id.
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
  // It stays in its shard as long as the instant does.
  if (there?.['gsi2sk'] === index.gsi2sk) return [];
  return [{ put: { ...expiryKey(name), ...index } }];
}

export function expiryRemoval(there: Document | undefined): Write[] {
  return there === undefined ? [] : [{ delete: keyOf(there) }];
}

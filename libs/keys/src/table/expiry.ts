import { instant } from '../segments/instant.ts';
import { id } from '../segments/text.ts';
import { entityPartition } from './entity.ts';
import { partitionKey, sortKey } from './key.ts';
import type { EntityName } from './entity.ts';
import type { Gsi2Key, Key } from './key.ts';

/** The row of an entity that expires; the index orders these rows by the instant. */
export function expiryKey(entity: EntityName): Key {
  return { pk: entityPartition(entity), sk: 'EXPIRES' };
}

/** The entities of all types that expire, in the order of their instants. */
export function expiryPartition(shard: number): string {
  return partitionKey('shard', ['EXPIRES', 'E', String(shard)]);
}

/** `expiresAt` in epoch milliseconds. */
export function expiryIndexKey(shard: number, expiresAt: number, entity: EntityName): Gsi2Key {
  return {
    gsi2pk: expiryPartition(shard),
    gsi2sk: sortKey('entity', [
      instant('expiresAt', expiresAt),
      id('type', entity.type),
      id('id', entity.id),
    ]),
  };
}

/** The upper bound of `gsi2sk` of entities that expire before `time` (epoch milliseconds). */
export function expiriesBefore(time: number): string {
  return instant('time', time);
}

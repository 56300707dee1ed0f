import { instant } from '../segments/instant.ts';
import { id } from '../segments/text.ts';
import { entityPartition } from './entity.ts';
import { partitionKey, sortKey } from './key.ts';
import type { EntityName } from './entity.ts';
import type { Gsi2Key, Key } from './key.ts';

/** One row an entity that expires; in the index it is found by the instant. */
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

/** What the `gsi2sk` of every entity is below whose instant is before `time` (epoch milliseconds). */
export function expiriesBefore(time: number): string {
  return instant('time', time);
}

import { id } from '../segments/text.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

/** What is being erased: a device, a place, or (place and room) a room. */
export type PurgeJobKind = 'DEVICE' | 'PLACE' | 'ROOM';

/** All erasures that have not come to their end yet; there are seldom more than a few. */
export const purgeJobPartition = partitionKey('pk', ['ERASURES']);

export function purgeJobKey(kind: PurgeJobKind, ...ids: string[]): Key {
  const segments = ids.map((each) => id('id', each));
  return { pk: purgeJobPartition, sk: sortKey('erasure', [kind, ...segments]) };
}

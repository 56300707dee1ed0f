import { id } from '../segments/text.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

/** The kind of the deleted thing; a room has two ids, of its place and its own. */
export type PurgeJobKind = 'DEVICE' | 'PLACE' | 'ROOM';

/**
 * All pending purge jobs, rarely more than a few. The text of the key is a former name, which existing tables contain.
 */
export const purgeJobPartition = partitionKey('pk', ['ERASURES']);

export function purgeJobKey(kind: PurgeJobKind, ...ids: string[]): Key {
  const segments = ids.map((each) => id('id', each));
  return { pk: purgeJobPartition, sk: sortKey('purgeJob', [kind, ...segments]) };
}

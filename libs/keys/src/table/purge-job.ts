import { id } from '../segments/text.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

/** The kind of what a purge job deletes; a room has two ids, of its place and its own. */
export type PurgeJobKind = 'DEVICE' | 'PLACE' | 'ROOM';

/** All pending purge jobs, rarely more than a few. The key's text stays `ERASURES`: tables have it. */
export const purgeJobPartition = partitionKey('pk', ['ERASURES']);

export function purgeJobKey(kind: PurgeJobKind, ...ids: string[]): Key {
  const segments = ids.map((each) => id('id', each));
  return { pk: purgeJobPartition, sk: sortKey('purgeJob', [kind, ...segments]) };
}

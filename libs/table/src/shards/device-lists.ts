import { deviceListFamily, deviceSeenFamily } from '@engawa/keys';
import type { ListShards } from '@engawa/model';
import type { Shards } from './shards.ts';

/** The numbers of shards of the two device lists, for a write now. */
export function deviceListShards(shards: Shards): ListShards {
  return { list: shards.toWrite(deviceListFamily), seen: shards.toWrite(deviceSeenFamily) };
}

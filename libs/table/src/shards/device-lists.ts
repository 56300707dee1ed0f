import { deviceListFamily, deviceSeenFamily } from '@engawa/keys';
import type { ListShards } from '@engawa/model';
import type { Shards } from './shards.ts';

/** The current shard counts of the two device lists, for a write. */
export function deviceListShards(shards: Shards): ListShards {
  return { list: shards.toWrite(deviceListFamily), seen: shards.toWrite(deviceSeenFamily) };
}

import { deviceListFamily, deviceSeenFamily } from '@engawa/keys';
import type { ListShards } from '@engawa/model';
import type { Shards } from './shards.ts';

/** How many shards the lists of devices have for who writes now. */
export function deviceListShards(shards: Shards): ListShards {
  return { list: shards.toWrite(deviceListFamily), seen: shards.toWrite(deviceSeenFamily) };
}

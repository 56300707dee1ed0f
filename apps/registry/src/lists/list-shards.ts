import { deviceListFamily, deviceSeenFamily } from '@engawa/keys';
import type { ListShards } from '@engawa/model';
import type { Shards } from '@engawa/table';

/** How many shards the lists of devices have for who writes now. */
export function listShards(shards: Shards): ListShards {
  return { list: shards.toWrite(deviceListFamily), seen: shards.toWrite(deviceSeenFamily) };
}

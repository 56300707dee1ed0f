import { deviceSeenFamily, deviceSeenPartition } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { queryPages, walkShards } from '@engawa/table';
import type { Device } from '@engawa/model';
import type { Shards, Table } from '@engawa/table';

export interface ListDevicesOptions {
  table: Pick<Table, 'query'>;
  shards: Pick<Shards, 'readPlan'>;
  signal: AbortSignal;
}

/**
 * All devices, from the index of last-seen times, which has whole items: one Query per page and
 * shard. A device that is seen meanwhile moves towards the end of its shard, or to another one: it
 * may be listed twice, but is not missed. (A writer that has not yet learned of a growth may move a
 * device back. The next run then finds it.)
 */
export async function* listDevices(options: ListDevicesOptions): AsyncGenerator<Device> {
  const { table, shards, signal } = options;
  for await (const shard of walkShards({ shards, family: deviceSeenFamily })) {
    const request = { index: 'gsi2', pk: deviceSeenPartition(shard), signal } as const;
    for await (const page of queryPages(table, request)) yield* page.items.map(parseDevice);
  }
}

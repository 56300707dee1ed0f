import { deviceSeenPartition, maximumShards } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import type { Device } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';

/** Every device there is, from the index that has all of each: a Query a page and shard of the list of last seen. */
export async function* listDevices(
  table: Table,
  shards: number,
  signal: AbortSignal,
): AsyncGenerator<Device> {
  for (let shard = 0; shard < Math.min(shards, maximumShards); shard++) {
    let after: PageKey | undefined;
    do {
      const pk = deviceSeenPartition(shard);
      const page = await table.query({ index: 'gsi2', pk, signal, ...(after && { after }) });
      for (const item of page.items) yield parseDevice(item);
      after = page.next;
    } while (after !== undefined);
  }
}

import { deviceSeenFamily, deviceSeenPartition } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import type { Device } from '@engawa/model';
import type { PageKey, Shards, Table } from '@engawa/table';

export interface ListDevicesOptions {
  table: Pick<Table, 'query'>;
  shards: Pick<Shards, 'toRead'>;
  signal: AbortSignal;
}

/**
 * Every device there is, from the index that has all of each: a Query a page and shard of the list of last seen. Shards may
 * become more meanwhile, so their number is asked for at each step. A device that is heard of moves towards the end of its shard,
 * or to a higher one, since the remainder of a hash by twice as many is the same or so many more: it may come twice, but is not passed
 * by. (For the seconds in which a writer has not learned of a growth yet, that one may take a device back. Then it comes the
 * next time.)
 */
export async function* listDevices(options: ListDevicesOptions): AsyncGenerator<Device> {
  const { table, shards, signal } = options;
  for (let shard = 0; shard < (await shards.toRead(deviceSeenFamily)); shard++) {
    let after: PageKey | undefined;
    do {
      const pk = deviceSeenPartition(shard);
      const page = await table.query({ index: 'gsi2', pk, signal, ...(after && { after }) });
      for (const item of page.items) yield parseDevice(item);
      after = page.next;
    } while (after !== undefined);
  }
}

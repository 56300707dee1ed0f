import { deviceSeenFamily, deviceSeenPartition } from '@engawa/keys';
import { isListed, parseDevice } from '@engawa/model';
import { queryPages, walkShards } from '@engawa/table';
import { retryForever } from '../concurrency/retry-forever.ts';
import type { Document } from '@engawa/model';
import type { QueryTarget, Shards, Table } from '@engawa/table';
import type { RetryOptions } from '../concurrency/retry-forever.ts';
import type { RegisteredDevice } from './registration.ts';

export interface LoadDevicesOptions extends RetryOptions {
  table: Pick<Table, 'query'>;
  shards: Shards;
}

/**
 * All devices with valid items, from the index with all attributes: a Query per page and shard. A failed page is
 * retried until the service closes, so an unavailable table delays a start and does not end it. A device that moves
 * to another shard meanwhile may be returned twice.
 */
export async function* loadDevices(options: LoadDevicesOptions): AsyncGenerator<RegisteredDevice> {
  const { table, shards } = options;
  const retrying: QueryTarget = {
    query: (request) => retryForever(() => table.query(request), options),
  };
  const patient: Pick<Shards, 'readPlan'> = {
    readPlan: (family) => retryForever(() => shards.readPlan(family), options),
  };
  for await (const shard of walkShards({ shards: patient, family: deviceSeenFamily })) {
    const pk = deviceSeenPartition(shard);
    for await (const page of queryPages(retrying, { index: 'gsi2', pk })) {
      for (const item of page.items) yield* registeredDevice(item, options);
    }
  }
}

function* registeredDevice(item: Document, { log }: RetryOptions): Generator<RegisteredDevice> {
  try {
    yield { device: parseDevice(item), isListed: isListed(item) };
  } catch (error) {
    log.warn({ err: error, key: item['pk'] }, 'device skipped: its item is invalid');
  }
}

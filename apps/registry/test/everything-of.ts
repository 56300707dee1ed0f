import { deviceMembershipsPartition, devicePartition, purgeJobPartition } from '@engawa/keys';
import { blockItem, invalidRollupItem, membershipItem, tombstoneOf } from '@engawa/model';
import { queryAll } from '@engawa/table';
import { aReading } from '@engawa/testing';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';

const hour = 3_600_000;

export interface DeviceData {
  device: string;
  /** Of the newest of its readings, an hour between two of them (epoch milliseconds). */
  newest: number;
  readings: number;
  /** Partitions over which its readings are spread. */
  shards?: number;
}

/** Stores what comes to belong to a device: readings, and rollups and a history of as many hours. */
export async function seed(table: Table, belongings: DeviceData): Promise<void> {
  const { device, newest, readings, shards = 1 } = belongings;
  const writer = table.batchWriter();
  const writes: Promise<void>[] = [];
  for (let index = 0; index < readings; index++) {
    const time = newest - index * hour;
    const reading = aReading({ time });
    const start = time - (time % hour);
    writes.push(
      writer.put(blockItem({ device, readings: [reading], shard: index % shards })),
      writer.put(invalidRollupItem(device, { width: 'PT1H', start }, 'v1')),
    );
    if (index % 10 === 0) {
      const period = { place: 'once', device, since: time - hour, until: time };
      writes.push(writer.put(membershipItem(period)));
      writes.push(writer.put(membershipItem({ ...period, room: 'a room' })));
    }
  }
  await Promise.all(writes);
  writer.close();
}

/** All items of a partition key, or those of an index that it leads to. */
export function allOf(table: Table, pk: string, index?: 'gsi1'): Promise<Document[]> {
  return queryAll(table, { pk, ...(index && { index }) });
}

/** What the table has that is a device's, without the tombstone of a deleted one. */
export async function everythingOf(table: Table, device: string, shards = 1) {
  const partitions = Array.from({ length: shards }, (_, shard) => devicePartition(device, shard));
  const own = await Promise.all(partitions.map((pk) => allOf(table, pk)));
  const history = await allOf(table, deviceMembershipsPartition(device), 'gsi1');
  return [...own.flat(), ...history].filter((item) => tombstoneOf(item) === undefined);
}

/** The pending purge jobs. */
export function purgeJobsOf(table: Table): Promise<Document[]> {
  return allOf(table, purgeJobPartition);
}

import { deviceKey } from '@engawa/keys';
import { deviceAttributes, parseDevice, tombstoneFields } from '@engawa/model';
import { absent, anyOf, present } from '../items/expression.ts';
import type { Device, ListShards } from '@engawa/model';
import type { Table } from '../table.ts';
import type { SingleWrite } from './write-request.ts';

/** A device to be created. */
export type NewDevice = Omit<Device, 'span' | 'shards'>;

export interface DeviceCreation extends SingleWrite {
  /** Without shards the device is in no list until an update adds it. */
  lists?: ListShards | undefined;
}

/**
 * Creates a device with one conditional UpdateItem. It keeps the span and the shards of a deleted device of the same
 * id, which are in the tombstone: ingestion may still write with them (docs/adr/0074).
 * @returns the device as stored
 * @throws ConditionFailed where the device exists, or a deleted one of the same id is still being purged
 */
export async function createDevice(
  table: Pick<Table, 'update'>,
  device: NewDevice,
  { lists, ...options }: DeviceCreation = {},
): Promise<Device> {
  const item = await table.update(deviceKey(device.id), {
    set: deviceAttributes(device, lists),
    add: { span: 0 }, // keeps an existing span
    remove: tombstoneFields,
    onlyIf: anyOf(absent('pk'), present('erasedAt')),
    ...options,
  });
  return parseDevice(item);
}

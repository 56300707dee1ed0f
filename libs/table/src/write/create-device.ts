import { deviceKey } from '@engawa/keys';
import { deviceAttributes, parseDevice, tombstoneFields } from '@engawa/model';
import { absent, anyOf, present } from '../items/expression.ts';
import type { Device, ListShards } from '@engawa/model';
import type { Table } from '../table.ts';
import type { SingleWrite } from './write-request.ts';

/** A device that nobody has registered yet. */
export type NewDevice = Omit<Device, 'span' | 'shards'>;

export interface DeviceCreation extends SingleWrite {
  /** Without them, the device is in no list until an update adds it. */
  lists?: ListShards | undefined;
}

/**
 * One conditional UpdateItem. The device gets the span and the shards of the last one of its id, which the tombstone of that
 * has: ingestion may still write by them (docs/adr/0074).
 * @returns the device as it is stored
 * @throws ConditionFailed where there is a device of that id, or it is still being erased
 */
export async function createDevice(
  table: Pick<Table, 'update'>,
  device: NewDevice,
  { lists, ...options }: DeviceCreation = {},
): Promise<Device> {
  const item = await table.update(deviceKey(device.id), {
    set: deviceAttributes(device, lists),
    add: { span: 0 }, // keeps the one that is there
    remove: tombstoneFields,
    onlyIf: anyOf(absent('pk'), present('erasedAt')),
    ...options,
  });
  return parseDevice(item);
}

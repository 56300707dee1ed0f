import { blockItem, blockSpanOf, deviceItem, tolerableAheadMs } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import type { Device, Reading } from '@engawa/model';
import type { TableItem } from '@engawa/table';

export interface PlacedDevice {
  id: string;
  device?: Partial<Device>;
  /** Each list is a block. */
  blocks?: readonly Reading[][];
  /** Blocks of version 0.2, which are named by their content. */
  areFormer?: boolean;
  /** Epoch milliseconds: when the readings of each block were received. */
  receipts?: readonly number[];
  /** Which of the device's partitions the blocks are in. */
  shard?: number;
  /** Epoch seconds. */
  ttl?: number;
}

/** The items of a device and its blocks, as ingestion stores them. @param sequence numbers the blocks */
export function itemsOf(placed: PlacedDevice, sequence: () => number): TableItem[] {
  const { id, device = {}, blocks = [], shard = 0, receipts = [], ttl } = placed;
  const span = Math.max(0, ...blocks.map(blockSpanOf));
  const items = blocks.map((readings, index) => {
    const receivedAt = receipts[index];
    const isAhead = (readings.at(-1)?.time ?? 0) > (receivedAt ?? Infinity) + tolerableAheadMs;
    const receipt = { receivedAt: receivedAt ?? 0, isAhead, origin: 'test', sequence: sequence() };
    const name = placed.areFormer === true ? {} : { receipt };
    return blockItem({ device: id, readings, shard, ...name, ...(ttl !== undefined && { ttl }) });
  });
  const item = deviceItem(aDevice({ id, span, ...device }), { list: 1, seen: 1 });
  return [item, ...items].map((each) => ({ ...each }));
}

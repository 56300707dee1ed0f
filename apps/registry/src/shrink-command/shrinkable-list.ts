import {
  deviceListFamily,
  deviceListPartition,
  deviceSeenFamily,
  deviceSeenPartition,
  placeListFamily,
  placeListPartition,
  roomListFamily,
  roomListPartition,
} from '@engawa/keys';
import type { ShardFamily } from '@engawa/keys';
import type { IndexName } from '@engawa/table';

/** A list whose entries are index keys of items, so that changing one key moves an entry to another shard. */
export interface ShrinkableList {
  family: ShardFamily;
  index: IndexName;
  partition: (shard: number) => string;
  /** Write units to move an entry whose item has up to 1 KB: of the item, and of each index that has the key. */
  unitsPerMove: number;
}

export const listFamilies = ['LIST#DEVICE', 'SEEN#DEVICE', 'LIST#PLACE', 'LIST#ROOM'] as const;

/**
 * The lists whose readers all use `readPlan`. Readers of the catalog's families note how far they have read each shard
 * (docs/adr/0144).
 */
export const shrinkableLists: Record<(typeof listFamilies)[number], ShrinkableList> = {
  'LIST#DEVICE': {
    family: deviceListFamily,
    index: 'gsi1',
    partition: deviceListPartition,
    // Devices are in gsi2 as well, which has all attributes.
    unitsPerMove: 4,
  },
  'SEEN#DEVICE': {
    family: deviceSeenFamily,
    index: 'gsi2',
    partition: deviceSeenPartition,
    unitsPerMove: 3,
  },
  'LIST#PLACE': {
    family: placeListFamily,
    index: 'gsi1',
    partition: placeListPartition,
    unitsPerMove: 3,
  },
  'LIST#ROOM': {
    family: roomListFamily,
    index: 'gsi1',
    partition: roomListPartition,
    unitsPerMove: 3,
  },
};

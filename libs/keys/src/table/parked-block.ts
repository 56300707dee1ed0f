import { shardOf } from '../shards.ts';
import { instant } from '../segments/instant.ts';
import { id } from '../segments/text.ts';
import { partitionKey, sortKey } from './key.ts';
import type { Key } from './key.ts';

/**
 * Number of partition keys for blocks of throttled devices: 16 keys accept sixteen times the writes of the throttled
 * key, and a replica that looks for abandoned blocks reads 16 partitions.
 */
export const parkedShards = 16;

/** The partition of parked blocks, which wait until their device's own key accepts writes. */
export function parkedPartition(shard: number): string {
  return partitionKey('shard', ['PARKED', String(shard)]);
}

export interface ParkedBlockAddress {
  device: string;
  /** Epoch milliseconds of the newest reading in the block. */
  newest: number;
  /** Derived from the block's content: parking the same block again overwrites it. */
  hash: string;
}

/** Blocks of one device are adjacent in each of the partitions, oldest first. */
export function parkedBlockKey({ device, newest, hash }: ParkedBlockAddress): Key {
  return {
    pk: parkedPartition(shardOf(hash, parkedShards)),
    sk: sortKey('block', [id('device', device), instant('time', newest), hash]),
  };
}

import { parkedBlockKey, parseKey } from '@engawa/keys';
import {
  columnsOf,
  contentHash,
  deliveriesOf,
  isBlockColumns,
  lastTimeOf,
  readingsOf,
} from './block.ts';
import type { Key } from '@engawa/keys';
import type { BlockColumns } from './block.ts';
import type { Document } from '../values/item-size.ts';
import type { Reading } from './reading.ts';

/** A block of a throttled device, in a partition where it waits until the device's own key accepts writes. */
export interface ParkedBlockItem extends Key, BlockColumns {
  device: string;
  /** The replica that parked the block and stores it later, unless the replica ends first. */
  owner: string;
  /** Epoch milliseconds. */
  parkedAt: number;
  /** Epoch milliseconds: when the first of its readings was received. */
  receivedAt: number;
  /** Positions of readings that were measured earlier than they were sent; absent without any. */
  historical?: number[];
}

/** Who parks a block, and when; `receivedAt` is `parkedAt` by default. */
type ParkingOf = Pick<ParkedBlockItem, 'owner' | 'parkedAt'> &
  Partial<Pick<ParkedBlockItem, 'receivedAt'>>;

/** @param readings in order of time, each once, as `packReadings` returns them; at least one */
export function parkedBlockItem(
  device: string,
  readings: readonly Reading[],
  { owner, parkedAt, receivedAt = parkedAt }: ParkingOf,
): ParkedBlockItem {
  const newest = lastTimeOf(readings);
  const key = parkedBlockKey({ device, newest, hash: contentHash(readings) });
  const historical = readings.flatMap(({ isHistorical }, index) => (isHistorical ? [index] : []));
  const deliveries = deliveriesOf(readings);
  return {
    ...key,
    device,
    owner,
    parkedAt,
    receivedAt,
    ...(historical.length > 0 && { historical }),
    ...(deliveries !== undefined && { deliveries }),
    ...columnsOf(readings),
  };
}

/** @throws TypeError when the item is not a parked block */
export function parseParkedBlock(item: Document): ParkedBlock {
  const { pk, sk, device, owner, parkedAt, receivedAt = parkedAt, historical } = item;
  if (typeof pk !== 'string' || typeof sk !== 'string' || !isBlockColumns(item)) {
    throw new TypeError('not a parked block');
  }
  const parsed = parseKey({ pk, sk });
  if (parsed.item !== 'parkedBlock' || typeof device !== 'string') {
    throw new TypeError(`not a parked block: ${pk} ${sk}`);
  }
  return {
    key: { pk, sk },
    device,
    owner: typeof owner === 'string' ? owner : '',
    parkedAt: Number(parkedAt),
    receivedAt: Number(receivedAt),
    readings: markHistorical(readingsOf(item, parsed.newest), historical),
  };
}

function markHistorical(readings: Reading[], historical: unknown): Reading[] {
  if (!Array.isArray(historical)) return readings;
  const positions = new Set<unknown>(historical);
  return readings.map((reading, index) =>
    positions.has(index) ? { ...reading, isHistorical: true } : reading,
  );
}

export interface ParkedBlock extends Pick<
  ParkedBlockItem,
  'device' | 'owner' | 'parkedAt' | 'receivedAt'
> {
  key: Key;
  /** Oldest first. */
  readings: Reading[];
}

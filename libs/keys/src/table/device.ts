import { collated } from '../segments/collated.ts';
import { instant, parseInstant } from '../segments/instant.ts';
import { id } from '../segments/text.ts';
import { encodeSegment, encodeTuple, tuplePrefix } from '../tuple.ts';
import { collatedSortKey, partitionKey, sortKey } from './key.ts';
import type { Gsi1Key, Gsi2Key, Key, SortKeyRange } from './key.ts';

/**
 * A device's item collection. Its own item sorts last (`DEVICE…`), its readings before it (`#TS…`), and
 * rollups before those (`#AGG…`). Read backwards, one Query gives the device and then its newest readings.
 */
export function deviceKey(device: string): Key {
  return { pk: devicePartition(device), sk: sortKey('device', ['DEVICE', id('device', device)]) };
}

/** Shard 0 is the device's own partition; only hot devices have more. */
export function devicePartition(device: string, shard = 0): string {
  const segments = ['DEVICE', id('device', device)];
  return partitionKey('device', shard === 0 ? segments : [...segments, String(shard)]);
}

export interface BlockAddress {
  device: string;
  shard?: number;
  /** Epoch milliseconds of the newest reading in the block. */
  newest: number;
  /** The name of the block: no two blocks of a device have the same newest time and name. */
  name: string;
}

export function blockKey({ device, shard = 0, newest, name }: BlockAddress): Key {
  return { pk: devicePartition(device, shard), sk: blockSortKey(newest, name) };
}

const blockPrefix = tuplePrefix(['', 'TS']);
const instantLength = 24;

/**
 * The sort key of a block. An instant has no character that is escaped.
 * @param name of characters of base64url and tildes
 */
export function blockSortKey(newest: number, name: string): string {
  return `${blockPrefix}${instant('time', newest)}#${name}`;
}

/** The name of a block from its sort key. */
export function blockSuffix(sk: string): string {
  return sk.slice(blockPrefix.length + instantLength + 1);
}

/**
 * The time of a block's newest reading (epoch milliseconds) from its sort key; undefined for other items. Faster than
 * `parseKey`: it is called for every block that is read.
 */
export function blockTime(sk: string): number | undefined {
  if (!sk.startsWith(blockPrefix)) return undefined;
  const end = blockPrefix.length + instantLength;
  return sk[end] === '#' ? parseInstant('time', sk.slice(blockPrefix.length, end)) : undefined;
}

/** The blocks whose newest reading is at or after `from` and before `to` (epoch milliseconds). */
export function blockRange(from: number, to: number): SortKeyRange {
  // No block's key ends with its time, so the inclusive upper bound never matches one at `to`.
  return {
    from: sortKey('from', ['', 'TS', instant('from', from)]),
    to: sortKey('to', ['', 'TS', instant('to', to)]),
  };
}

/** `width` is an ISO-8601 duration such as `PT1H`; `start` is in epoch milliseconds. */
export function rollupKey(device: string, width: string, start: number): Key {
  return {
    pk: devicePartition(device),
    sk: sortKey('rollup', ['', 'AGG', width, instant('start', start)]),
  };
}

/**
 * The bucket of a rollup from its sort key; undefined for other items. Faster than `parseKey`: a month of hours has
 * 720 rollups.
 */
export function rollupBucket(sk: string): { width: string; start: number } | undefined {
  if (!sk.startsWith(rollupPrefix)) return undefined;
  // A width has no character that is escaped in keys.
  const end = sk.indexOf('#', rollupPrefix.length);
  if (end === -1) return undefined;
  const width = sk.slice(rollupPrefix.length, end);
  return { width, start: parseInstant('start', sk.slice(end + 1)) };
}

/** The prefix of the sort keys of all rollups and sketches of a device. */
export const rollupPrefix = tuplePrefix(['', 'AGG']);

/** The rollups of one width whose buckets start from `from` to `to`, both included. */
export function rollupRange(width: string, from: number, to: number): SortKeyRange {
  return {
    from: sortKey('from', ['', 'AGG', width, instant('from', from)]),
    to: sortKey('to', ['', 'AGG', width, instant('to', to)]),
  };
}

/** Corrections are sorted between the rollups and the readings, so that no Query for either reads them. */
export function correctionKey(device: string, correction: string): Key {
  return {
    pk: devicePartition(device),
    sk: sortKey('correction', ['', 'COR', id('correction', correction)]),
  };
}

/** The prefix of the sort keys of a device's corrections. */
export const correctionPrefix = tuplePrefix(['', 'COR']);

export interface CorrectionRowAddress {
  device: string;
  correction: string;
  /** The maximum length of its class, such as `P1D`: an ISO-8601 duration without a character that is escaped. */
  length: string;
  /** The beginning of its range in epoch milliseconds. */
  from: number;
}

/** A copy of a correction of a device with many of them, sorted by the beginning of its range. */
export function correctionRowKey(row: CorrectionRowAddress): Key {
  const { device, correction, length, from } = row;
  const segments = ['', 'CORROW', length, instant('from', from)];
  return {
    pk: devicePartition(device),
    sk: sortKey('correction', [...segments, id('correction', correction)]),
  };
}

/** The rows of one class that begin at or after `from` and before `to` (epoch milliseconds). */
export function correctionRowRange(length: string, from: number, to: number): SortKeyRange {
  const prefix = ['', 'CORROW', length];
  // No row's key ends with its time, so the inclusive upper bound never matches one at `to`.
  return {
    from: sortKey('from', [...prefix, instant('from', from)]),
    to: sortKey('to', [...prefix, instant('to', to)]),
  };
}

/** The prefix of the sort keys of a device's corrections and their rows. */
export const correctionAndRowPrefix = encodeTuple(['', 'COR']);

export function deviceListPartition(shard: number): string {
  return partitionKey('shard', ['LIST', 'DEVICE', String(shard)]);
}

/** The index key of a device in the list by name. */
export function deviceListKey(shard: number, name: string, device: string): Gsi1Key {
  return {
    gsi1pk: deviceListPartition(shard),
    gsi1sk: collatedSortKey(collated('name', name), [id('device', device)]),
  };
}

/** The prefix of `gsi1sk` for names that begin with `prefix`, in any case and width. */
export function namePrefix(prefix: string): string {
  return encodeSegment(collated('namePrefix', prefix));
}

export function deviceSeenPartition(shard: number): string {
  return partitionKey('shard', ['SEEN', 'DEVICE', String(shard)]);
}

/** The index key of a device in the list by last seen. @param lastSeen epoch milliseconds */
export function deviceSeenKey(shard: number, lastSeen: number, device: string): Gsi2Key {
  return {
    gsi2pk: deviceSeenPartition(shard),
    gsi2sk: sortKey('device', [instant('lastSeen', lastSeen), id('device', device)]),
  };
}

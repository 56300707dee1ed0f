import { hash } from 'node:crypto';
import { invariant } from '@engawa/errors';
import { blockSortKey, blockSuffix, blockTime, devicePartition, shardOf } from '@engawa/keys';
import { blockName, parseBlockName, parseReceipt } from './block-name.ts';
import { tolerableAheadMs } from './clock-ahead.ts';
import { identityOf } from './reading.ts';
import { sortNames } from '../values/sort-names.ts';
import type { Key } from '@engawa/keys';
import type { BlockReceipt } from './block-name.ts';
import type { Fields, FieldValue, Reading } from './reading.ts';

/**
 * A reading block: one to many readings of one device in one item, because DynamoDB charges by the started kilobyte.
 * Written once and never changed. Columns: the distance of each reading from the newest one (whose time is in the sort
 * key), and a list per field. The sort key ends in the name of the block: block-name.ts.
 */
export interface BlockItem extends Key, BlockColumns {
  /** Epoch seconds after which DynamoDB deletes the block. */
  ttl?: number;
}

/** A block as a Query of its partition reads it: without the known partition key, up to a seventh of its bytes. */
export type ProjectedBlock = Omit<BlockItem, 'pk'>;

export const blockProjection = [
  'sk',
  'offsets',
  'fields',
  'deliveries',
  'ttl',
] as const satisfies readonly (keyof ProjectedBlock)[];

export interface BlockColumns {
  /** Milliseconds before the newest reading, one per reading, oldest reading first. */
  offsets: number[];
  /** `null` where a reading lacks the field, an empty list where the field's value is null. */
  fields: Record<string, BlockCell[]>;
  /**
   * What identifies each reading (`delivery`), without the origin of the block; `null` for its content. Absent where
   * the name of the block says it.
   */
  deliveries?: (string | null)[];
}

export type BlockCell = Exclude<FieldValue, null> | null | [];

/** Maximum size of a block: a larger single reading is rejected, so that a page of 1 MB contains many readings. */
export const maxBlockBytes = 64 * 1024;

export interface BlockOptions {
  device: string;
  /** The device's partition keys by shard, if they are known. */
  partitions?: readonly string[];
  /** In order of time, each reading once, as `packReadings` returns them; at least one. */
  readings: readonly Reading[];
  /** Number of shards that the device's blocks of this time may use. */
  shards?: number;
  /** The shard; by default derived from the name. */
  shard?: number;
  /** Names the block; by default its content does. */
  receipt?: BlockReceipt;
  /** Epoch seconds. */
  ttl?: number;
}

const atLeastOne = 'a block has at least one reading';

export function blockItem({
  device,
  partitions,
  readings,
  shards = 1,
  receipt,
  ttl,
  ...which
}: BlockOptions): BlockItem {
  const newest = lastTimeOf(readings);
  const first = receipt === undefined ? undefined : firstDelivery(receipt.origin);
  const isDelivered = readings.every(
    ({ delivery }) => delivery !== undefined && delivery === first,
  );
  const name = receipt === undefined ? contentHash(readings) : blockName(receipt, isDelivered);
  const shard = which.shard ?? (shards === 1 ? 0 : shardOf(name, shards));
  const pk = partitions?.[shard] ?? devicePartition(device, shard);
  const sk = blockSortKey(newest, name);
  const { offsets, fields } = columnsOf(readings);
  const deliveries = isDelivered ? undefined : deliveriesOf(readings, receipt?.origin);
  const item: BlockItem = { pk, sk, offsets, fields };
  if (deliveries !== undefined) item.deliveries = deliveries;
  if (ttl !== undefined) item.ttl = ttl;
  return item;
}

/** The delivery of the first reading without a time that a process receives of a device in a millisecond. */
export function firstDelivery(origin: string): string {
  return `${origin}.0`;
}

/**
 * The column of deliveries; undefined where the content identifies every reading.
 * @param origin omitted from the deliveries
 */
export function deliveriesOf(
  readings: readonly Reading[],
  origin?: string,
): (string | null)[] | undefined {
  if (readings.every(({ delivery }) => delivery === undefined)) return undefined;
  return readings.map(({ delivery }) => {
    if (delivery === undefined) return null;
    const isOwn = origin !== undefined && delivery.startsWith(`${origin}.`);
    return isOwn ? delivery.slice(origin.length) : delivery;
  });
}

/** @param readings in order of time, at least one */
export function columnsOf(readings: readonly Reading[]): BlockColumns {
  const newest = lastTimeOf(readings);
  const columns: Record<string, BlockCell[]> = {};
  for (const name of namesOf(readings)) {
    columns[name] = readings.map(({ fields }) => cellOf(fields, name));
  }
  return { offsets: readings.map(({ time }) => newest - time), fields: columns };
}

/** @param readings in order of time, at least one */
export function lastTimeOf(readings: readonly Reading[]): number {
  return invariant(readings.at(-1), atLeastOne).time;
}

/** The names of all fields, in ascending order. */
function namesOf(readings: readonly Reading[]): string[] {
  const [first] = readings;
  if (first !== undefined && readings.length === 1) return sortNames(Object.keys(first.fields));
  const names = new Set<string>();
  for (const { fields } of readings) for (const name of Object.keys(fields)) names.add(name);
  return sortNames([...names]);
}

/** The readings of a block, oldest first, their fields by name (DynamoDB keeps no order of its own). */
export function blockReadings(item: ProjectedBlock): Reading[] {
  const readings = readingsOf(item, newestOf(item));
  const order = blockSuffix(item.sk);
  const { origin = '', isDelivered = false, receivedAt = Infinity } = parseBlockName(order) ?? {};
  const first = isDelivered ? firstDelivery(origin) : undefined;
  for (const reading of readings) {
    const delivery = first ?? reading.delivery;
    reading.order = order;
    if (reading.time > receivedAt + tolerableAheadMs) reading.receivedAt = receivedAt;
    if (delivery !== undefined) {
      reading.delivery = delivery.startsWith('.') ? origin + delivery : delivery;
    }
  }
  return readings;
}

/** Oldest first. @param newest epoch milliseconds of the last of them */
export function readingsOf(
  { offsets, fields: columns, deliveries = [] }: BlockColumns,
  newest: number,
): Reading[] {
  const names = Object.keys(columns).sort();
  return offsets.map((offset, index) => {
    const fields: Record<string, FieldValue> = {};
    for (const name of names) {
      const cell = columns[name]?.[index] ?? null;
      if (cell !== null) fields[name] = Array.isArray(cell) ? null : cell;
    }
    const delivery = deliveries[index] ?? undefined;
    const time = newest - offset;
    return delivery === undefined ? { time, fields } : { time, fields, delivery };
  });
}

/** Epoch milliseconds of the newest reading in the block. */
export function newestOf({ sk }: Pick<Key, 'sk'>): number {
  const newest = blockTime(sk);
  if (newest === undefined) throw new TypeError(`not a reading block: ${sk}`);
  return newest;
}

/**
 * When the device sent the newest reading of a block, in epoch milliseconds: the receipt of the block, or the time of
 * the reading where that is later because the block waited for it. By that time alone for a block of version 0.2.
 */
export function sentAtOf(key: Pick<Key, 'sk'>): number {
  const newest = newestOf(key);
  const { receivedAt = newest, isAhead = false } = parseReceipt(blockSuffix(key.sk)) ?? {};
  return isAhead ? receivedAt : Math.max(receivedAt, newest);
}

/**
 * The span in seconds of a device with blocks of this length: a power of two (0 for single readings), so that the
 * device item changes a few times in total and not with every block.
 */
export function blockSpanOf(readings: readonly Reading[]): number {
  const milliseconds = lastTimeOf(readings) - invariant(readings[0], atLeastOne).time;
  return milliseconds === 0 ? 0 : 2 ** Math.max(0, Math.ceil(Math.log2(milliseconds / 1000)));
}

function cellOf(fields: Fields, name: string): BlockCell {
  if (!Object.hasOwn(fields, name)) return null; // a field may be called `constructor`
  return fields[name] ?? [];
}

/** 96 bits in 16 characters: equal readings give equal hashes on every replica. */
export function contentHash(readings: readonly Reading[]): string {
  let content = '';
  for (const reading of readings) {
    content += `${content === '' ? '' : '\n'}${reading.time} ${identityOf(reading)}`;
  }
  return hash('sha256', content, 'base64url').slice(0, 16);
}

export function isBlockItem(item: object): item is BlockItem {
  return isBlockColumns(item);
}

export function isBlockColumns(item: object): item is BlockColumns {
  return 'offsets' in item && 'fields' in item;
}

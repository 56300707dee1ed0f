import { hash } from 'node:crypto';
import { blockSortKey, blockTime, devicePartition, shardOf } from '@engawa/keys';
import { contentOf } from './reading.ts';
import { sortNames } from './sort-names.ts';
import type { Key } from '@engawa/keys';
import type { Fields, FieldValue, Reading } from './reading.ts';

/**
 * A reading block: one to many readings of one device in one item, because DynamoDB charges by the started kilobyte.
 * Written once and never changed. Columns: the distance of each reading from the newest one (whose time is in the sort
 * key), and a list per field.
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
  'ttl',
] as const satisfies readonly (keyof ProjectedBlock)[];

export interface BlockColumns {
  /** Milliseconds before the newest reading, one per reading, oldest reading first. */
  offsets: number[];
  /** `null` where a reading lacks the field, an empty list where the field's value is null. */
  fields: Record<string, BlockCell[]>;
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
  /** The shard; by default derived from the content. */
  shard?: number;
  /** Epoch seconds. */
  ttl?: number;
}

export function blockItem({
  device,
  partitions,
  readings,
  shards = 1,
  ttl,
  ...which
}: BlockOptions): BlockItem {
  const newest = readings.at(-1)?.time ?? 0;
  const hash = contentHash(readings);
  const shard = which.shard ?? (shards === 1 ? 0 : shardOf(hash, shards));
  const pk = partitions?.[shard] ?? devicePartition(device, shard);
  const sk = blockSortKey(newest, hash);
  const { offsets, fields } = columnsOf(readings);
  return ttl === undefined ? { pk, sk, offsets, fields } : { pk, sk, offsets, fields, ttl };
}

/** @param readings in order of time, at least one */
export function columnsOf(readings: readonly Reading[]): BlockColumns {
  const newest = readings.at(-1)?.time ?? 0;
  const columns: Record<string, BlockCell[]> = {};
  for (const name of namesOf(readings)) {
    columns[name] = readings.map(({ fields }) => cellOf(fields, name));
  }
  return { offsets: readings.map(({ time }) => newest - time), fields: columns };
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
  return readingsOf(item, newestOf(item));
}

/** Oldest first. @param newest epoch milliseconds of the last of them */
export function readingsOf({ offsets, fields: columns }: BlockColumns, newest: number): Reading[] {
  const names = Object.keys(columns).sort();
  return offsets.map((offset, index) => {
    const fields: Record<string, FieldValue> = {};
    for (const name of names) {
      const cell = columns[name]?.[index] ?? null;
      if (cell !== null) fields[name] = Array.isArray(cell) ? null : cell;
    }
    return { time: newest - offset, fields };
  });
}

/** Epoch milliseconds of the newest reading in the block. */
export function newestOf({ sk }: Pick<Key, 'sk'>): number {
  const newest = blockTime(sk);
  if (newest === undefined) throw new TypeError(`not a reading block: ${sk}`);
  return newest;
}

/**
 * The span in seconds of a device with blocks of this length: a power of two (0 for single readings), so that the
 * device item changes a few times in total and not with every block.
 */
export function blockSpanOf(readings: readonly Reading[]): number {
  const milliseconds = (readings.at(-1)?.time ?? 0) - (readings[0]?.time ?? 0);
  return milliseconds === 0 ? 0 : 2 ** Math.max(0, Math.ceil(Math.log2(milliseconds / 1000)));
}

function cellOf(fields: Fields, name: string): BlockCell {
  if (!Object.hasOwn(fields, name)) return null; // a field may be called `constructor`
  return fields[name] ?? [];
}

/** 96 bits in 16 characters: equal readings give equal ids on every replica. */
export function contentHash(readings: readonly Reading[]): string {
  let content = '';
  for (const reading of readings) {
    content += `${content === '' ? '' : '\n'}${reading.time} ${contentOf(reading)}`;
  }
  return hash('sha256', content, 'base64url').slice(0, 16);
}

export function isBlockItem(item: object): item is BlockItem {
  return isBlockColumns(item);
}

export function isBlockColumns(item: object): item is BlockColumns {
  return 'offsets' in item && 'fields' in item;
}

import { hash } from 'node:crypto';
import { blockKey, blockTime, shardOf } from '@engawa/keys';
import { itemSize, valueSize } from './item-size.ts';
import { contentOf } from './reading.ts';
import { sortInSlices } from './sort-readings.ts';
import { runSlicedWork } from './sliced-work.ts';
import type { BlockAddress, Key } from '@engawa/keys';
import type { Fields, FieldValue, Reading } from './reading.ts';
import type { SlicedWork } from './sliced-work.ts';

/**
 * A reading block: one to many readings of one device in one item, because DynamoDB charges by the started kilobyte.
 * Written once and never changed. Columns: the distance of each reading from the newest one (whose time is in the sort
 * key), and a list per field.
 */
export interface BlockItem extends Key, BlockColumns {
  /** Epoch seconds after which DynamoDB deletes the block. */
  ttl?: number;
}

export interface BlockColumns {
  /** Milliseconds before the newest reading, one per reading, oldest reading first. */
  offsets: number[];
  /** `null` where a reading lacks the field, an empty list where the field's value is null. */
  fields: Record<string, BlockCell[]>;
}

export type BlockCell = Exclude<FieldValue, null> | null | [];

/** Target size of a block: one kilobyte, which costs one write unit. */
const targetBytes = 1024;
/** Maximum size of a block: a larger single reading is rejected, so that a page of 1 MB contains many readings. */
export const maxBlockBytes = 64 * 1024;
/** Maximum milliseconds between the oldest and the newest reading of a block. */
export const maxBlockSpanMs = 3_600_000;

/**
 * Estimated write units of readings of a device: a reading that shares a block costs its share, a larger reading costs
 * its own block including the key.
 */
export function readingUnits(device: string, readings: readonly Reading[]): number {
  const around = aroundReadings + Buffer.byteLength(device);
  const room = targetBytes - around;
  const units = readings.reduce((sum, { fields }) => {
    const bytes = offsetBytes + valueSize({ ...fields });
    const inOneBlock = Math.floor(room / bytes);
    return sum + (inOneBlock > 1 ? 1 / inOneBlock : Math.ceil((bytes + around) / targetBytes));
  }, 0);
  return Math.max(smallestShare, units);
}

/** Bytes of a block without its readings and the device's id. */
const aroundReadings = 90;
/** Minimum cost of a reading in write units: at most 100 readings fit into a block. */
const smallestShare = 0.01;

/** An upper bound for an offset in a block: 7 digits and the list element around it. */
const offsetBytes = 6;
/** Bytes of an absent cell in its list. */
const absentBytes = 2;
/** Overhead of a list and of its element in the map of columns. */
const columnBytes = 4;

/**
 * Splits readings of one device into the readings of blocks: in order of time, each reading once.
 * @param shards number of keys that the blocks may use: keys of higher shards are longer
 */
export function packReadings(
  device: string,
  readings: readonly Reading[],
  options: { shards?: number } = {},
): Reading[][] {
  return runSlicedWork(packInSlices(device, readings, options));
}

/** `packReadings` in slices, for a message with thousands of readings. */
export function* packInSlices(
  device: string,
  readings: readonly Reading[],
  { shards = 1 }: { shards?: number } = {},
): SlicedWork<Reading[][]> {
  const packs: Reading[][] = [];
  let pack: PackSize | undefined;
  for (const reading of yield* sortInSlices(readings)) {
    if (pack?.add(reading)) {
      packs.at(-1)?.push(reading);
    } else {
      pack = new PackSize({ device, shard: shards - 1 }, reading);
      packs.push([reading]);
    }
    yield 1 + Object.keys(reading.fields).length;
  }
  return packs;
}

/** Tracks the size of a growing block without building the item. */
class PackSize {
  readonly #oldest: number;
  readonly #columns = new Set<string>();
  #readings = 0;
  #bytes: number;

  constructor(address: Pick<BlockAddress, 'device' | 'shard'>, first: Reading) {
    this.#oldest = first.time;
    const key = blockKey({ ...address, newest: first.time, hash: contentHash([]) });
    this.#bytes = itemSize({ ...key, offsets: [], fields: {}, ttl: first.time });
    this.#count(first, this.#growth(first));
  }

  /** Adds the reading if the block stays within its limits. */
  add(reading: Reading): boolean {
    const growth = this.#growth(reading);
    if (this.#bytes + growth > targetBytes) return false;
    if (reading.time - this.#oldest > maxBlockSpanMs) return false;
    this.#count(reading, growth);
    return true;
  }

  #growth({ fields }: Reading): number {
    let bytes = offsetBytes + this.#columns.size * absentBytes;
    for (const [name, value] of Object.entries(fields)) {
      bytes += valueSize(value ?? []) + 1;
      bytes += this.#columns.has(name)
        ? -absentBytes
        : Buffer.byteLength(name) + columnBytes + this.#readings * absentBytes;
    }
    return bytes;
  }

  #count(reading: Reading, growth: number): void {
    for (const name of Object.keys(reading.fields)) this.#columns.add(name);
    this.#readings += 1;
    this.#bytes += growth;
  }
}

export interface BlockOptions {
  device: string;
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
  readings,
  shards = 1,
  ttl,
  ...which
}: BlockOptions): BlockItem {
  const newest = readings.at(-1)?.time ?? 0;
  const hash = contentHash(readings);
  const key = blockKey({ device, shard: which.shard ?? shardOf(hash, shards), newest, hash });
  return { ...key, ...columnsOf(readings), ...(ttl === undefined ? {} : { ttl }) };
}

/** @param readings in order of time, at least one */
export function columnsOf(readings: readonly Reading[]): BlockColumns {
  const newest = readings.at(-1)?.time ?? 0;
  const names = [...new Set(readings.flatMap(({ fields }) => Object.keys(fields)))].sort();
  return {
    offsets: readings.map(({ time }) => newest - time),
    fields: Object.fromEntries(
      names.map((name) => [name, readings.map(({ fields }) => cellOf(fields, name))]),
    ),
  };
}

/** The readings of a block, oldest first, their fields by name (DynamoDB keeps no order of its own). */
export function blockReadings(item: BlockItem): Reading[] {
  return readingsOf(item, newestOf(item));
}

/** Oldest first. @param newest epoch milliseconds of the last of them */
export function readingsOf({ offsets, fields }: BlockColumns, newest: number): Reading[] {
  const columns = Object.entries(fields).sort(([a], [b]) => (a < b ? -1 : 1));
  return offsets.map((offset, index) => ({
    time: newest - offset,
    fields: Object.fromEntries(
      columns.flatMap(([name, cells]) => {
        const cell = cells[index] ?? null;
        return cell === null ? [] : [[name, Array.isArray(cell) ? null : cell]];
      }),
    ),
  }));
}

/** Epoch milliseconds of the newest reading in the block. */
export function newestOf({ sk }: Key): number {
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
  const content = readings.map((reading) => `${reading.time} ${contentOf(reading)}`).join('\n');
  return hash('sha256', content, 'base64url').slice(0, 16);
}

export function isBlockItem(item: object): item is BlockItem {
  return isBlockColumns(item);
}

export function isBlockColumns(item: object): item is BlockColumns {
  return 'offsets' in item && 'fields' in item;
}

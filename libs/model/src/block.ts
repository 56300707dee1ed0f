import { createHash } from 'node:crypto';
import { blockKey, blockTime, shardOf } from '@engawa/keys';
import { itemSize, valueSize } from './item-size.ts';
import { contentOf } from './reading.ts';
import { sortingSteps } from './sort-readings.ts';
import { runSteps } from './steps.ts';
import type { BlockAddress, Key } from '@engawa/keys';
import type { Fields, FieldValue, Reading } from './reading.ts';
import type { Steps } from './steps.ts';

/**
 * A reading block: one to many readings of one device in one item, because DynamoDB charges by the started
 * kilobyte. Written once and never changed. Columns: how far each reading lies before the newest one (whose
 * time is in the sort key), and a list per field.
 */
export interface BlockItem extends Key, BlockColumns {
  /** Epoch seconds after which DynamoDB deletes the block. */
  ttl?: number;
}

export interface BlockColumns {
  /** Milliseconds before the newest reading, one per reading, oldest reading first. */
  offsets: number[];
  /** `null` where a reading does not have the field, an empty list where it has it and its value is null. */
  fields: Record<string, BlockCell[]>;
}

export type BlockCell = Exclude<FieldValue, null> | null | [];

/** What a block aims at: the kilobyte that one write unit pays for. */
const targetBytes = 1024;
/** Larger than this even a single reading is refused: reading one page back should give more than a few. */
export const maxBlockBytes = 64 * 1024;
/** Milliseconds between a block's oldest and newest reading, at most. */
export const maxBlockSpanMs = 3_600_000;

/**
 * Write units that readings of a device take, roughly: those that share a block with others their
 * share of it, those too large for that what their own block takes, with its key and all.
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

/** Bytes of a block beside its readings and the device's id. */
const aroundReadings = 90;
/** Of a block: more readings than this do not fit into one, whatever they say. */
const smallestShare = 0.01;

/** An upper bound for an offset in a block: 7 digits and the list element around it. */
const offsetBytes = 6;
/** What an absent cell takes in its list. */
const absentBytes = 2;
/** A list's overhead and its own element's in the map of columns. */
const columnBytes = 4;

/**
 * Splits readings of one device into the readings of blocks: in order of time, each reading once.
 * @param shards over how many keys the blocks may be spread: the higher numbers are longer keys
 */
export function packReadings(
  device: string,
  readings: readonly Reading[],
  options: { shards?: number } = {},
): Reading[][] {
  return runSteps(packingSteps(device, readings, options));
}

/** The same in steps, for a message of thousands. */
export function* packingSteps(
  device: string,
  readings: readonly Reading[],
  { shards = 1 }: { shards?: number } = {},
): Steps<Reading[][]> {
  const packs: Reading[][] = [];
  let pack: PackSize | undefined;
  for (const reading of yield* sortingSteps(readings)) {
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

/** Keeps count of a growing block's bytes without building it. */
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

  /** Takes the reading in if the block stays within its limits. */
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
  /** In order of time, each once, as `packReadings` gives them; at least one. */
  readings: readonly Reading[];
  /** Over how many keys the device's blocks of this time may be spread. */
  shards?: number;
  /** Which of them it is; where that is not given, the content says it. */
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
 * The span that a device whose blocks are this long needs, in seconds: a power of two (0 for single readings), so
 * that the device item changes a few times in its life and not with every block.
 */
export function spanOf(readings: readonly Reading[]): number {
  const milliseconds = (readings.at(-1)?.time ?? 0) - (readings[0]?.time ?? 0);
  return milliseconds === 0 ? 0 : 2 ** Math.max(0, Math.ceil(Math.log2(milliseconds / 1000)));
}

function cellOf(fields: Fields, name: string): BlockCell {
  if (!Object.hasOwn(fields, name)) return null; // a field may be called `constructor`
  return fields[name] ?? [];
}

/** 96 bits in 16 characters: the same for the same readings, whoever packs them. */
export function contentHash(readings: readonly Reading[]): string {
  const content = readings.map((reading) => `${reading.time} ${contentOf(reading)}`).join('\n');
  return createHash('sha256').update(content).digest('base64url').slice(0, 16);
}

export function isBlockItem(item: object): item is BlockItem {
  return isBlockColumns(item);
}

export function isBlockColumns(item: object): item is BlockColumns {
  return 'offsets' in item && 'fields' in item;
}

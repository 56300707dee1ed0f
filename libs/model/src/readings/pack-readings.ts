import { blockSortKey, devicePartition } from '@engawa/keys';
import { itemSize, valueSize } from '../values/item-size.ts';
import { sortedUnique, sortInSlices } from './sort-readings.ts';
import type { Reading } from './reading.ts';
import type { SlicedWork } from '../values/sliced-work.ts';

/** Target size of a block: one kilobyte, which costs one write unit. */
const targetBytes = 1024;
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
    const bytes = offsetBytes + valueSize(fields);
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
/** The name of the column of deliveries, and the overhead of its list. */
const deliveryColumnBytes = 13;
/** Overhead of a list and of its element in the map of columns. */
const columnBytes = 4;

interface PackOptions {
  /** Number of keys that the blocks may use: keys of higher shards are longer. */
  shards?: number;
}

/** Splits readings of one device into the readings of blocks: in order of time, each reading once. */
export function packReadings(
  device: string,
  readings: readonly Reading[],
  { shards = 1 }: PackOptions = {},
): Reading[][] {
  const [first] = readings;
  if (first !== undefined && readings.length === 1) return [[first]];
  const packs = new Packs(devicePartition(device, shards - 1));
  for (const reading of sortedUnique(readings)) packs.add(reading);
  return packs.all;
}

/** `packReadings` in slices, for a message with thousands of readings. */
export function* packInSlices(
  device: string,
  readings: readonly Reading[],
  { shards = 1 }: PackOptions = {},
): SlicedWork<Reading[][]> {
  const packs = new Packs(devicePartition(device, shards - 1));
  for (const reading of yield* sortInSlices(readings)) {
    packs.add(reading);
    yield 1 + Object.keys(reading.fields).length;
  }
  return packs.all;
}

/** Readings in order of time, split into the readings of blocks. */
class Packs {
  readonly all: Reading[][] = [];
  readonly #emptyBytes: number;
  #size: PackSize | undefined;

  /** @param partition the longest partition key of the device */
  constructor(partition: string) {
    this.#emptyBytes = bytesWithoutReadings + Buffer.byteLength(partition);
  }

  add(reading: Reading): void {
    if (this.#size?.add(reading) === true) {
      this.all.at(-1)?.push(reading);
    } else {
      this.#size = new PackSize(this.#emptyBytes, reading);
      this.all.push([reading]);
    }
  }
}

/** Bytes of a block without readings and the partition key. Every sort key and every `ttl` is as long as this one. */
const bytesWithoutReadings = itemSize({
  pk: '',
  sk: blockSortKey(0, 'x'.repeat(16)),
  offsets: [],
  fields: {},
  ttl: 1_999_999_999,
});

/** Tracks the size of a growing block without building the item. */
class PackSize {
  readonly #oldest: number;
  readonly #columns = new Set<string>();
  /** The delivery that the name of the block can say for all of its readings. */
  readonly #delivery: string | undefined;
  #hasDeliveries = false;
  #deliveryBytes = 0;
  #readings = 0;
  #bytes: number;

  /** @param emptyBytes of the block without readings */
  constructor(emptyBytes: number, first: Reading) {
    this.#oldest = first.time;
    this.#delivery = first.delivery;
    this.#bytes = emptyBytes;
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

  #growth({ fields, delivery }: Reading): number {
    let bytes = offsetBytes + this.#columns.size * absentBytes + this.#deliveryGrowth(delivery);
    for (const name of Object.keys(fields)) {
      bytes += valueSize(fields[name] ?? []) + 1;
      bytes += this.#columns.has(name)
        ? -absentBytes
        : Buffer.byteLength(name) + columnBytes + this.#readings * absentBytes;
    }
    return bytes;
  }

  #deliveryGrowth(delivery: string | undefined): number {
    if (this.#hasDeliveries) return bytesOfDelivery(delivery);
    if (!this.#needsColumn(delivery)) return 0;
    return deliveryColumnBytes + this.#deliveryBytes + bytesOfDelivery(delivery);
  }

  #needsColumn(delivery: string | undefined): boolean {
    return delivery !== this.#delivery || (delivery !== undefined && !delivery.endsWith('.0'));
  }

  #count({ fields, delivery }: Reading, growth: number): void {
    for (const name of Object.keys(fields)) this.#columns.add(name);
    this.#hasDeliveries ||= this.#needsColumn(delivery);
    this.#deliveryBytes += bytesOfDelivery(delivery);
    this.#readings += 1;
    this.#bytes += growth;
  }
}

/** An upper bound: the origin of the block itself is omitted. */
function bytesOfDelivery(delivery: string | undefined): number {
  return delivery === undefined ? 2 : 1 + delivery.length;
}

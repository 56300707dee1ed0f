import { invariant } from '@engawa/errors';
import { blockRange, latestInstant } from '@engawa/keys';
import { blockProjection, blockReadings, newestOf } from '@engawa/model';
import { blocksAmong } from '../blocks/reading-blocks.ts';
import { isExpired } from '../blocks/is-expired.ts';
import { retentionOf } from '../blocks/retention-of.ts';
import type { ProjectedBlock } from '@engawa/model';
import type { ItemPage, PageKey, QueryRequest } from '@engawa/table';
import type { CorrectedReading, Overlay } from '../corrections/overlay.ts';
import type { TimeRange } from '../time-range.ts';

export type Order = 'asc' | 'desc';

/** Names of fields, such as a set. */
export interface NameFilter {
  has: (name: string) => boolean;
}

export interface DeviceReading extends CorrectedReading {
  device: string;
}

export interface ShardReadingsOptions extends TimeRange {
  device: string;
  /** The parts of the range of which readings count, in order of time; by default the whole range. */
  stays?: readonly TimeRange[] | undefined;
  /** The partition key of the shard. */
  partition: string;
  isFirst: boolean;
  order: Order;
  /** Maximum length of a block of the device, in milliseconds. */
  span: number;
  /** The first moment of the page; by default an end of the range. */
  begin?: number | undefined;
  /** Omits readings without any of these. */
  fields?: NameFilter | undefined;
  /** The corrections of the device. */
  overlay: Overlay;
  now: number;
}

/** Maximum blocks per Query; of a kilobyte each, they fill its page of a megabyte. */
const maxBlocksPerQuery = 1000;

/** Expected readings per block, for the first Query of a device that packs readings. */
const expectedReadings = 16;

/** Maximum growth from Query to Query, even if the blocks so far had few readings. */
const maxGrowthFactor = 8;

/** 1 for ascending, -1 for descending order; multiplied with it, times always ascend. */
export function directionOf(order: Order): 1 | -1 {
  return order === 'asc' ? 1 : -1;
}

/** The readings of one shard in one range, from the blocks that were fetched so far. */
export class ShardReadings {
  readonly options: ShardReadingsOptions;
  /** Readings in the range, in the order of blocks, with duplicates. */
  readings: DeviceReading[] = [];
  /**
   * All readings before this are fetched: a time multiplied by `directionOf(order)`; Infinity once
   * all blocks are fetched. Descending, an unfetched block ends at or before the last fetched one.
   * Ascending, it ends at or after the last fetched one, and begins at most a span before its end.
   */
  watermark: number;
  /** Number of values of these readings. */
  values = 0;
  /** Length of the longest fetched block, in milliseconds. */
  longest = 0;
  /** Minimum retention of the fetched blocks, in milliseconds; undefined without blocks. */
  retention: number | undefined;
  #blocks = 0;
  #after: PageKey | undefined;
  readonly #begin: number;
  /** Like `watermark`: the end of the range. */
  readonly #end: number;

  constructor(options: ShardReadingsOptions) {
    const { order, from, to } = options;
    this.options = options;
    this.#begin = options.begin ?? (order === 'asc' ? from : to - 1);
    this.#end = order === 'asc' ? to : 1 - from;
    this.watermark = this.#begin * directionOf(order);
    // Replacement readings are in no block; those of the first shard include them.
    if (!options.isFirst) return;
    for (const reading of options.overlay.added(this.#wanted)) this.#take(reading);
  }

  get isFetched(): boolean {
    return this.#blocks > 0;
  }

  get isComplete(): boolean {
    return this.watermark === Infinity;
  }

  /** The next Query, for about this many further readings. */
  request(readings: number): QueryRequest {
    const { partition, order, span, from, to } = this.options;
    const range =
      order === 'asc' ? { from: this.#begin, to: to + span } : { from, to: this.#begin + 1 + span };
    return {
      pk: partition,
      sk: blockRange(range.from, Math.min(range.to, latestInstant)),
      fields: blockProjection,
      descending: order === 'desc',
      limit: this.#blocksFor(readings),
      ...(this.#after && { after: this.#after }),
    };
  }

  /** Adds a page of the Query. */
  add({ items, next }: ItemPage): void {
    const { order, span } = this.options;
    const blocks = blocksAmong(items);
    for (const block of blocks) this.#open(block);
    const last = blocks.at(-1);
    this.#blocks += blocks.length;
    this.#after = next;
    if (next === undefined) this.watermark = Infinity;
    else if (last !== undefined) {
      const certain = newestOf(last) * directionOf(order) - (order === 'asc' ? span : 0);
      this.watermark = certain >= this.#end ? Infinity : Math.max(this.watermark, certain);
    }
  }

  #open(block: ProjectedBlock): void {
    const { overlay, now } = this.options;
    this.longest = Math.max(this.longest, block.offsets[0] ?? 0);
    this.retention = Math.min(this.retention ?? Infinity, retentionOf(block));
    if (isExpired(block, now)) return;
    const { from, to } = this.#wanted;
    for (const reading of blockReadings(block)) {
      if (reading.time >= from && reading.time < to) this.#take(overlay.apply(reading));
    }
  }

  /** The part of the range that the page can have. */
  get #wanted(): TimeRange {
    const { order, from, to } = this.options;
    return order === 'asc' ? { from: this.#begin, to } : { from, to: this.#begin + 1 };
  }

  #take(reading: CorrectedReading | undefined): void {
    const { device, fields, stays } = this.options;
    if (reading === undefined || (stays && !isDuring(stays, reading.time))) return;
    if (fields !== undefined && !hasAny(reading.fields, fields)) return;
    this.readings.push({ device, ...reading });
    this.values += Object.keys(reading.fields).length;
  }

  /** Estimates how many blocks have this many readings, from the fetched ones. */
  #blocksFor(readings: number): number {
    // One for the last reading of the page before, and one to be certain of the last reading of
    // this page.
    const margin = 2;
    if (!this.isFetched)
      return Math.min(maxBlocksPerQuery, margin + firstGuess(readings, this.options.span));
    const likely = Math.ceil((readings * this.#blocks) / Math.max(1, this.readings.length));
    return Math.min(maxBlocksPerQuery, margin + likely, maxGrowthFactor * this.#blocks);
  }
}

/** A span of 0 means one reading per block; otherwise blocks that overlap the range are read too. */
function firstGuess(readings: number, span: number): number {
  return span === 0 ? readings : 2 + Math.ceil(readings / expectedReadings);
}

/** Whether a time is in one of these ranges, which are in order of time. */
function isDuring(ranges: readonly TimeRange[], time: number): boolean {
  let [low, high] = [0, ranges.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (invariant(ranges[middle], 'the middle is one of the ranges').to <= time) low = middle + 1;
    else high = middle;
  }
  return (ranges[low]?.from ?? Infinity) <= time;
}

function hasAny(fields: object, names: NameFilter): boolean {
  return Object.keys(fields).some((name) => names.has(name));
}

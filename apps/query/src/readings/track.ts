import { blockRange, devicePartition, latestInstant } from '@engawa/keys';
import { blockReadings, newestOf } from '@engawa/model';
import { blocksAmong } from './blocks-among.ts';
import { isExpired } from './is-expired.ts';
import type { BlockItem } from '@engawa/model';
import type { ItemPage, PageKey, QueryRequest } from '@engawa/table';
import type { CorrectedReading, Overlay } from '../corrections/overlay.ts';
import type { TimeRange } from './merge-blocks.ts';

export type Order = 'asc' | 'desc';

export interface DeviceReading extends CorrectedReading {
  device: string;
}

export interface TrackOptions extends TimeRange {
  device: string;
  shard: number;
  order: Order;
  /** No block of the device is longer than this. */
  span: number;
  /** The moment to begin with, if not an end of the range. */
  begin?: number | undefined;
  /** Leaves out readings that have none of these. */
  fields?: ReadonlySet<string> | undefined;
  /** The corrections of the device. */
  overlay: Overlay;
  now: number;
}

/** Blocks asked for in one Query at most; of a kilobyte each, they fill the megabyte that it can give. */
const mostBlocks = 1000;

/** Readings in a block, for the first guess at how many blocks to ask a device for that fills its blocks. */
const expectedReadings = 16;

/** One Query asks for at most so many times the blocks that are there already, however few readings those had. */
const steepestGrowth = 8;

/** 1 or -1: times this, times grow along the order. */
export function directionOf(order: Order): 1 | -1 {
  return order === 'asc' ? 1 : -1;
}

/** What is known of the readings under one partition key in one range: those of the blocks fetched so far. */
export class Track {
  readonly options: TrackOptions;
  /** Those in the range, in the order of the blocks, which is not their own; with duplicates. */
  readings: DeviceReading[] = [];
  /**
   * Nothing is missing before this moment, which is a time multiplied by `along`; Infinity once all blocks are there.
   * Descending, a block that was not fetched ends with or before the last one that was. Ascending, it ends with or behind
   * that one, and begins at most a span before its end.
   */
  watermark: number;
  /** Milliseconds of the longest block that was fetched. */
  longest = 0;
  #blocks = 0;
  #after: PageKey | undefined;
  readonly #begin: number;
  /** Like `reach`: no reading of the range is here or behind. */
  readonly #end: number;

  constructor(options: TrackOptions) {
    const { order, from, to } = options;
    this.options = options;
    this.#begin = options.begin ?? (order === 'asc' ? from : to - 1);
    this.#end = order === 'asc' ? to : 1 - from;
    this.watermark = this.#begin * directionOf(order);
    // Readings that stand in the place of others are in no block: the first shard has them.
    if (options.shard > 0) return;
    for (const reading of options.overlay.added(this.#wanted)) this.#take(reading);
  }

  get isFetched(): boolean {
    return this.#blocks > 0;
  }

  get isComplete(): boolean {
    return this.watermark === Infinity;
  }

  /** The next Query: of blocks for about so many more readings. */
  question(readings: number): QueryRequest {
    const { device, shard, order, span, from, to } = this.options;
    const range =
      order === 'asc' ? { from: this.#begin, to: to + span } : { from, to: this.#begin + 1 + span };
    return {
      pk: devicePartition(device, shard),
      sk: blockRange(range.from, Math.min(range.to, latestInstant)),
      descending: order === 'desc',
      limit: this.#blocksFor(readings),
      ...(this.#after && { after: this.#after }),
    };
  }

  /** Takes in what the Query gave. */
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

  #open(block: BlockItem): void {
    const { overlay, now } = this.options;
    this.longest = Math.max(this.longest, block.offsets[0] ?? 0);
    if (isExpired(block, now)) return;
    const { from, to } = this.#wanted;
    for (const reading of blockReadings(block)) {
      if (reading.time >= from && reading.time < to) this.#take(overlay.apply(reading));
    }
  }

  /** What of the range is not behind the beginning. */
  get #wanted(): TimeRange {
    const { order, from, to } = this.options;
    return order === 'asc' ? { from: this.#begin, to } : { from, to: this.#begin + 1 };
  }

  #take(reading: CorrectedReading | undefined): void {
    const { device, fields } = this.options;
    if (reading === undefined) return;
    if (fields !== undefined && !hasAny(reading.fields, fields)) return;
    this.readings.push({ device, ...reading });
  }

  /** How many blocks that many readings should take, judged by those that are there. */
  #blocksFor(readings: number): number {
    // One for the reading that the page before ended with, and one to be certain of the last one of this page.
    const margin = 2;
    if (!this.isFetched)
      return Math.min(mostBlocks, margin + firstGuess(readings, this.options.span));
    const likely = Math.ceil((readings * this.#blocks) / Math.max(1, this.readings.length));
    return Math.min(mostBlocks, margin + likely, steepestGrowth * this.#blocks);
  }
}

/** Without a span there is one reading in each block; with one, those beside the range have to be looked at too. */
function firstGuess(readings: number, span: number): number {
  return span === 0 ? readings : 2 + Math.ceil(readings / expectedReadings);
}

function hasAny(fields: object, names: ReadonlySet<string>): boolean {
  return Object.keys(fields).some((name) => names.has(name));
}

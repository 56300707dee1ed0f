import { devicePartition, rollupBucket, rollupRange } from '@engawa/keys';
import {
  addSketches,
  parseRollup,
  parseSketches,
  partsOf,
  partWidth,
  rollupWidths,
  sketchWidths,
} from '@engawa/model';
import { queryPages } from '@engawa/table';
import { RollupWriter } from './rollup-writer.ts';
import type { RequestBudget } from '@engawa/http';
import type { Document, Rollup, RollupWidth } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';
import type { NewRollup, RollupTarget, WrittenRollups } from './rollup-writer.ts';

export interface RollupRequest extends TimeRange {
  device: string;
  width: RollupWidth;
  /** Whether rollups need sketches, for percentiles. */
  withSketches: boolean;
  budget: RequestBudget;
  signal: AbortSignal;
}

export type RollupTable = Pick<Table, 'query'> & RollupTarget;

/** An item of a bucket, with the items of its parts. */
interface BucketItem {
  item: Document;
  parts: readonly (Document | undefined)[];
}

/** Reads and writes rollups. */
export class RollupStore {
  readonly #table: RollupTable;
  readonly #writer: RollupWriter;

  constructor(table: RollupTable) {
    this.#table = table;
    this.#writer = new RollupWriter(table);
  }

  /**
   * Rollups whose buckets begin in the range, by their start: one Query per page, and one per part of the widest.
   * Consistent, since a rollup that a late reading invalidated must not be used once that reading was acknowledged.
   */
  async read(request: RollupRequest): Promise<Map<number, Rollup & { hasSketches: boolean }>> {
    const { width, withSketches } = request;
    const [items, sketches] = await Promise.all([
      this.#bucketItems(request, width),
      withSketches ? this.#bucketItems(request, sketchWidths[width]) : [],
    ]);
    const rollups = new Map<number, Rollup & { hasSketches: boolean }>();
    for (const { item, parts } of items) {
      const rollup = Object.assign(parseRollup(item, parts), { hasSketches: false });
      rollups.set(rollup.start, rollup);
    }
    for (const { item, parts } of sketches) {
      const sketch = parseSketches(item, parts);
      if (sketch === undefined) continue;
      const { start, version, corrections, texts } = sketch;
      const rollup = rollups.get(start);
      // Sketches of another version were made of other readings; those with another tag, with other
      // corrections.
      if (rollup?.summary === undefined) continue;
      if (rollup.version !== version || rollup.corrections !== corrections) continue;
      addSketches(rollup.summary, texts);
      rollup.hasSketches = true;
    }
    return rollups;
  }

  /** Stores new rollups, except where a late reading arrived meanwhile. */
  write(device: string, made: readonly NewRollup[]): Promise<WrittenRollups> {
    return this.#writer.write(device, made);
  }

  async #bucketItems(request: RollupRequest, key: string): Promise<BucketItem[]> {
    const items = await this.#items(request, key);
    const parts: Map<number, Document>[] = [];
    const most = items.reduce((most, item) => Math.max(most, partsOf(item)), 0);
    for (let part = 1; part <= most; part++) {
      const found = await this.#items(request, partWidth(key, part));
      parts.push(new Map(found.map((item) => [startOf(item), item])));
    }
    return items.map((item) => {
      return { item, parts: parts.map((ofBuckets) => ofBuckets.get(startOf(item))) };
    });
  }

  async #items(
    { device, width, from, to, budget, signal }: RollupRequest,
    key: string,
  ): Promise<Document[]> {
    const items: Document[] = [];
    const sk = rollupRange(key, from, to - rollupWidths[width]);
    const request = { pk: devicePartition(device), sk, consistent: true, signal };
    for await (const page of queryPages(this.#table, request)) {
      budget.charge(page.units);
      items.push(...page.items);
    }
    return items;
  }
}

/** The beginning of its bucket in epoch milliseconds. */
function startOf({ sk }: Document): number {
  return rollupBucket(String(sk))?.start ?? NaN;
}

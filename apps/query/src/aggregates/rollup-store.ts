import { devicePartition, rollupBucket, rollupRange } from '@engawa/keys';
import {
  addSketches,
  keyOf,
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
  /** As in `SummariesRequest`. */
  atLeastUntil: number;
  maxValues?: number | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export type RollupTable = Pick<Table, 'query'> & RollupTarget;

/** An item of a bucket, with the items of its parts. */
interface BucketItem {
  item: Document;
  parts: readonly (Document | undefined)[];
}

const noItems = { items: [], until: Infinity };

/** The rollups of a range, by their start. */
export interface KnownRollups {
  rollups: Map<number, Rollup & { hasSketches: boolean }>;
  /** Epoch milliseconds: rollups from this time on were not read. Infinity if all were read. */
  until: number;
}

/** Values of fields in a read unit of rollups, about 160 bytes each. */
const valuesPerUnit = 25;

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
  async read(request: RollupRequest): Promise<KnownRollups> {
    const { width, withSketches } = request;
    const [items, sketches] = await Promise.all([
      this.#bucketItems(request, width),
      withSketches ? this.#bucketItems(request, sketchWidths[width]) : noItems,
    ]);
    const rollups = new Map<number, Rollup & { hasSketches: boolean }>();
    for (const { item, parts } of items.items) {
      const rollup = Object.assign(parseRollup(item, parts), { hasSketches: false });
      rollups.set(rollup.start, rollup);
    }
    for (const { item, parts } of sketches.items) {
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
    return { rollups, until: Math.min(items.until, sketches.until) };
  }

  /** Stores new rollups, except where a late reading arrived meanwhile. */
  write(device: string, made: readonly NewRollup[]): Promise<WrittenRollups> {
    return this.#writer.write(device, made);
  }

  async #bucketItems(
    request: RollupRequest,
    key: string,
  ): Promise<{ items: BucketItem[]; until: number }> {
    const firsts = await this.#items(request, key);
    const most = firsts.items.reduce((most, item) => Math.max(most, partsOf(item)), 0);
    const parts: Map<number, Document>[] = [];
    let { until } = firsts;
    for (let part = 1; part <= most; part++) {
      const within = { ...request, to: Math.min(request.to, until) };
      const found = await this.#items(within, partWidth(key, part));
      parts.push(new Map(found.items.map((item) => [startOf(item), item])));
      until = Math.min(until, found.until);
    }
    const items = firsts.items.filter((item) => startOf(item) < until);
    const withParts = items.map((item) => {
      return { item, parts: parts.map((ofBuckets) => ofBuckets.get(startOf(item))) };
    });
    return { items: withParts, until };
  }

  async #items(
    { device, width, from, to, atLeastUntil, maxValues = Infinity, budget, signal }: RollupRequest,
    key: string,
  ): Promise<{ items: Document[]; until: number }> {
    const items: Document[] = [];
    let values = 0;
    const sk = rollupRange(key, from, to - rollupWidths[width]);
    const request = { pk: devicePartition(device), sk, consistent: true, signal };
    for await (const page of queryPages(this.#table, request)) {
      budget.charge(page.units);
      items.push(...page.items);
      values += page.units * valuesPerUnit;
      const until = endOf(items.at(-1), width);
      if (values >= maxValues && until > atLeastUntil) return { items, until };
    }
    return { items, until: Infinity };
  }
}

/** The beginning of its bucket in epoch milliseconds. */
function startOf(item: Document): number {
  const { sk } = keyOf(item);
  const bucket = rollupBucket(sk);
  if (bucket === undefined) throw new TypeError(`not a rollup: ${sk}`);
  return bucket.start;
}

function endOf(item: Document | undefined, width: RollupWidth): number {
  return item === undefined ? -Infinity : startOf(item) + rollupWidths[width];
}

import { Problem } from '@engawa/errors';
import { devicePartition, parseKey, rollupRange } from '@engawa/keys';
import {
  addSketches,
  keyOf,
  parseRollup,
  parseSketches,
  rollupItem,
  rollupWidths,
  sketchesItem,
  sketchWidths,
} from '@engawa/model';
import { absent, ConditionFailed, equal, maxTransactionWrites, queryPages } from '@engawa/table';
import pMap from 'p-map';
import type { RequestBudget } from '@engawa/http';
import type { Document, Rollup, RollupWidth, Summary } from '@engawa/model';
import type { Condition, Put, Table } from '@engawa/table';
import type { TimeRange } from '../time-range.ts';

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

/** The rollups of a range, by their start. */
export interface KnownRollups {
  rollups: Map<number, Rollup & { hasSketches: boolean }>;
  /** Epoch milliseconds: rollups from this time on were not read. Infinity if all were read. */
  until: number;
}

/** A new rollup, with the version that was read before its readings. */
export interface NewRollup extends Rollup {
  summary: Summary;
  /** The stored values that it replaces: of an earlier format, or made with other corrections. */
  outdated?: Summary | undefined;
  /** Whether the rollup is stored already, so that only its sketches are written. */
  isKept?: boolean | undefined;
}

/** Values of fields in a read unit of rollups, about 160 bytes each. */
const valuesPerUnit = 25;

/** One transaction is prepared while another one is on its way. */
const maxConcurrentTransactions = 2;

/** Concurrent single writes, where the DynamoDB API has no transactions. */
const maxConcurrentWrites = 8;

export type RollupTable = Pick<Table, 'put' | 'query' | 'transact'>;

/** Reads and writes rollups. */
export class RollupStore {
  readonly #table: RollupTable;

  constructor(table: RollupTable) {
    this.#table = table;
  }

  /**
   * Rollups whose buckets begin in the range, by their start: one Query per page. Consistent, since
   * a rollup that a late reading invalidated must not be used once that reading was acknowledged.
   */
  async read(request: RollupRequest): Promise<KnownRollups> {
    const { width, withSketches } = request;
    const [items, sketches] = await Promise.all([
      this.#items(request, width),
      withSketches ? this.#items(request, sketchWidths[width]) : { items: [], until: Infinity },
    ]);
    const rollups = new Map<number, Rollup & { hasSketches: boolean }>();
    for (const item of items.items) {
      const rollup = Object.assign(parseRollup(item), { hasSketches: false });
      rollups.set(rollup.start, rollup);
    }
    for (const sketch of sketches.items.flatMap((item) => parseSketches(item) ?? [])) {
      const { start, version, corrections, values } = sketch;
      const rollup = rollups.get(start);
      // Sketches of another version were made of other readings; those with another tag, with other
      // corrections.
      if (rollup?.summary === undefined) continue;
      if (rollup.version !== version || rollup.corrections !== corrections) continue;
      addSketches(rollup.summary, values);
      rollup.hasSketches = true;
    }
    return { rollups, until: Math.min(items.until, sketches.until) };
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

  /**
   * Stores new rollups, except where the version has changed: a late reading arrived meanwhile, and
   * the rollup may lack it. One transaction per hundred rollups, at twice the units of single
   * writes and a hundredth of the requests.
   * @returns how many were stored
   */
  async write(device: string, made: readonly NewRollup[]): Promise<number> {
    const count = Math.ceil(made.length / maxTransactionWrites);
    const parts = Array.from({ length: count }, (_, index) => index * maxTransactionWrites);
    const write = async (start: number) => {
      const some = made.slice(start, start + maxTransactionWrites);
      const puts = some.filter(({ isKept }) => isKept !== true).map((one) => putOf(device, one));
      const written = puts.length > 0 ? await this.#writeSome(puts) : 0;
      return written + (await this.#writeSketches(some.flatMap((one) => sketchesOf(device, one))));
    };
    const written = await pMap(parts, write, { concurrency: maxConcurrentTransactions });
    return written.reduce((sum, one) => sum + one, 0);
  }

  /** Unconditional: sketches count only while the rollup has the same version. */
  async #writeSketches(puts: readonly Put[]): Promise<number> {
    await pMap(puts, ({ put }) => this.#table.put(put), { concurrency: maxConcurrentWrites });
    return puts.length;
  }

  async #writeSome(puts: readonly Put[]): Promise<number> {
    try {
      await this.#table.transact(puts);
      return puts.length;
    } catch (error) {
      if (isNotSupported(error)) return this.#writeEach(puts);
      if (!(error instanceof ConditionFailed)) throw error;
      const failed = new Set(error.failed);
      const rest = puts.filter((_, index) => !failed.has(index));
      return rest.length > 0 && rest.length < puts.length ? this.#writeSome(rest) : 0;
    }
  }

  /** Rollups do not depend on each other, so single writes differ from a transaction only in their price. */
  async #writeEach(puts: readonly Put[]): Promise<number> {
    const written = await pMap(
      puts,
      async ({ put, onlyIf }) => {
        try {
          await this.#table.put(put, { onlyIf });
          return true;
        } catch (error) {
          if (error instanceof ConditionFailed) return false;
          throw error;
        }
      },
      { concurrency: maxConcurrentWrites },
    );
    return written.filter((isWritten) => isWritten).length;
  }
}

function endOf(item: Document | undefined, width: RollupWidth): number {
  const key = item === undefined ? undefined : parseKey(keyOf(item));
  return key?.item === 'rollup' ? key.start + rollupWidths[width] : -Infinity;
}

function isNotSupported(error: unknown): boolean {
  return error instanceof Problem && error.code === 'not-supported-by-table';
}

function putOf(device: string, rollup: NewRollup): Put {
  return { put: rollupItem(device, rollup), onlyIf: conditionOf(rollup) };
}

function sketchesOf(device: string, made: NewRollup): Put[] {
  const { fields } = made.summary;
  const isKnown =
    fields.size > 0 && [...fields.values()].every(({ sketch }) => sketch !== undefined);
  const put = isKnown ? sketchesItem(device, made, made) : undefined;
  return put === undefined ? [] : [{ put }];
}

function conditionOf({ version, outdated }: NewRollup): Condition {
  if (version !== undefined) return equal('version', version);
  // A stored rollup without a version was made by another process from the same readings, unless it
  // has an earlier format or other corrections.
  return outdated === undefined ? absent('pk') : absent('version');
}

import { Problem } from '@engawa/errors';
import { devicePartition, rollupRange } from '@engawa/keys';
import {
  addSketches,
  parseRollup,
  parseSketches,
  rollupItem,
  rollupWidths,
  sketchesItem,
  sketchWidths,
} from '@engawa/model';
import { absent, ConditionFailed, equal, maxTransactionWrites } from '@engawa/table';
import { inTurns } from '../in-turns.ts';
import type { Budget } from '@engawa/http';
import type { Document, Rollup, RollupWidth, Summary } from '@engawa/model';
import type { Condition, PageKey, Put, Table } from '@engawa/table';
import type { TimeRange } from '../readings/merge-blocks.ts';

export interface RollupQuestion extends TimeRange {
  device: string;
  width: RollupWidth;
  /** Whether rollups without sketches are not enough. */
  withSketches: boolean;
  budget: Budget;
  signal: AbortSignal;
}

/** A rollup that was just made, with the version that was read before its readings. */
export interface MadeRollup extends Rollup {
  summary: Summary;
  /** What it replaces: values of an earlier format, or made with other corrections. */
  outdated?: Summary | undefined;
  /** Whether the rollup is in the table as it is, so that its sketches alone are new. */
  isKept?: boolean | undefined;
}

/** Single writes under way at the same time, where there are no transactions. */
const writesAtOnce = 8;

export type RollupTable = Pick<Table, 'put' | 'query' | 'transact'>;

/** The rollups in the table. */
export class RollupStore {
  readonly #table: RollupTable;

  constructor(table: RollupTable) {
    this.#table = table;
  }

  /**
   * Those whose buckets begin in the range, by their start: a Query a page. Consistent, since one that a late reading made
   * invalid must not be believed any more once that reading was acknowledged.
   */
  async read(question: RollupQuestion): Promise<Map<number, Rollup & { hasSketches: boolean }>> {
    const { width, withSketches } = question;
    const [items, sketches] = await Promise.all([
      this.#items(question, width),
      withSketches ? this.#items(question, sketchWidths[width]) : [],
    ]);
    const rollups = new Map(
      items.map(parseRollup).map((rollup) => [rollup.start, { ...rollup, hasSketches: false }]),
    );
    for (const sketch of sketches.flatMap((item) => parseSketches(item) ?? [])) {
      const { start, version, corrections, values } = sketch;
      const rollup = rollups.get(start);
      // Those of another version were made of other readings, and those with other corrections of corrected ones.
      if (rollup?.summary === undefined) continue;
      if (rollup.version !== version || rollup.corrections !== corrections) continue;
      addSketches(rollup.summary, values);
      rollup.hasSketches = true;
    }
    return rollups;
  }

  async #items(
    { device, width, from, to, budget, signal }: RollupQuestion,
    key: string,
  ): Promise<Document[]> {
    const items: Document[] = [];
    const sk = rollupRange(key, from, to - rollupWidths[width]);
    let after: PageKey | undefined;
    do {
      const page = await this.#table.query({
        pk: devicePartition(device),
        sk,
        consistent: true,
        signal,
        ...(after && { after }),
      });
      budget.charge(page.units);
      items.push(...page.items);
      after = page.next;
    } while (after !== undefined);
    return items;
  }

  /**
   * Keeps what was made, but for those whose version is not what it was: a late reading came while they were made, and
   * they may lack it. A transaction for a hundred, at twice the units of single writes and a hundredth of the requests.
   * @returns how many were written
   */
  async write(device: string, made: readonly MadeRollup[]): Promise<number> {
    let written = 0;
    for (let index = 0; index < made.length; index += maxTransactionWrites) {
      const some = made.slice(index, index + maxTransactionWrites);
      const puts = some.filter(({ isKept }) => isKept !== true).map((one) => putOf(device, one));
      if (puts.length > 0) written += await this.#writeSome(puts);
      written += await this.#writeSketches(some.flatMap((one) => sketchesOf(device, one)));
    }
    return written;
  }

  /** Whatever has become of the rollup meanwhile: they count only as long as it has the same version. */
  async #writeSketches(puts: readonly Put[]): Promise<number> {
    await inTurns(puts, writesAtOnce, ({ put }) => this.#table.put(put));
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

  /** No rollup depends on another, so this differs in what it takes alone. */
  async #writeEach(puts: readonly Put[]): Promise<number> {
    const written = await inTurns(puts, writesAtOnce, async ({ put, onlyIf }) => {
      try {
        await this.#table.put(put, { onlyIf });
        return true;
      } catch (error) {
        if (error instanceof ConditionFailed) return false;
        throw error;
      }
    });
    return written.filter((isWritten) => isWritten).length;
  }
}

function isNotSupported(error: unknown): boolean {
  return error instanceof Problem && error.code === 'not-supported-by-table';
}

function putOf(device: string, rollup: MadeRollup): Put {
  return { put: rollupItem(device, rollup), onlyIf: conditionOf(rollup) };
}

function sketchesOf(device: string, made: MadeRollup): Put[] {
  const { fields } = made.summary;
  const isKnown =
    fields.size > 0 && [...fields.values()].every(({ sketch }) => sketch !== undefined);
  const put = isKnown ? sketchesItem(device, made, made) : undefined;
  return put === undefined ? [] : [{ put }];
}

function conditionOf({ version, outdated }: MadeRollup): Condition {
  if (version !== undefined) return equal('version', version);
  // One that is there without a version was made by another process from the same readings, if not in an earlier format or with other corrections.
  return outdated === undefined ? absent('pk') : absent('version');
}

import { Problem } from '@engawa/errors';
import { maxParts, rollupItems, sketchesItems } from '@engawa/model';
import {
  absent,
  ConditionFailed,
  equal,
  maxTransactionBytes,
  maxTransactionWrites,
} from '@engawa/table';
import pMap from 'p-map';
import type { Document, Rollup, Summary } from '@engawa/model';
import type { Condition, Put, Table } from '@engawa/table';

/** A new rollup, with the version that was read before its readings. */
export interface NewRollup extends Rollup {
  summary: Summary;
  /** The stored values that it replaces: of an earlier format, or made with other corrections. */
  outdated?: Summary | undefined;
  /** Whether the rollup is stored already, so that only its sketches are written. */
  isKept?: boolean | undefined;
}

export interface WrittenRollups {
  stored: number;
  /** Rollups that do not fit into one transaction. */
  tooLarge: number;
}

export type RollupTarget = Pick<Table, 'put' | 'transact'>;

/** The writes of one rollup: of its first item, with the condition, and of its parts. */
type RollupPuts = readonly Put[];

/** One transaction is prepared while another one is on its way. */
const maxConcurrentTransactions = 2;

/** Concurrent single writes, where the DynamoDB API has no transactions. */
const maxConcurrentWrites = 8;

/** Bytes of an item beside its texts, at most: keys, versions, and tags of corrections. */
const itemOverheadBytes = 4096;

/** Writes rollups and their sketches. */
export class RollupWriter {
  readonly #table: RollupTarget;

  constructor(table: RollupTarget) {
    this.#table = table;
  }

  /**
   * Stores new rollups, except where the version has changed: a late reading arrived meanwhile, and
   * the rollup may lack it. One transaction per hundred items or 4 MB, at twice the units of single
   * writes and a hundredth of the requests.
   */
  async write(device: string, made: readonly NewRollup[]): Promise<WrittenRollups> {
    const rollups = made
      .filter(({ isKept }) => isKept !== true)
      .map((rollup) => putsOf(device, rollup));
    const fitting = rollups.filter((puts) => puts.length <= maxParts + 1);
    const writeSome = (some: readonly RollupPuts[]) => this.#writeSome(some);
    const concurrency = maxConcurrentTransactions;
    const written = await pMap(transactionsOf(fitting), writeSome, { concurrency });
    // Unconditional: sketches count only while the rollup has the same version.
    const sketches = await pMap(made, (rollup) => this.#writeSketches(device, rollup), {
      concurrency: maxConcurrentWrites,
    });
    const stored = [...written, ...sketches].reduce((sum, one) => sum + one, 0);
    return { stored, tooLarge: rollups.length - fitting.length };
  }

  async #writeSketches(device: string, made: NewRollup): Promise<number> {
    const items = sketchesOf(device, made);
    for (const item of items) await this.#table.put(item);
    return items.length > 0 ? 1 : 0;
  }

  async #writeSome(rollups: readonly RollupPuts[]): Promise<number> {
    try {
      await this.#table.transact(rollups.flat());
      return rollups.length;
    } catch (error) {
      if (isNotSupported(error)) return this.#writeEach(rollups);
      if (!(error instanceof ConditionFailed)) throw error;
      const rest = withoutFailed(rollups, new Set(error.failed));
      return rest.length > 0 && rest.length < rollups.length ? this.#writeSome(rest) : 0;
    }
  }

  /** Rollups do not depend on each other, so single writes differ from a transaction only in their price. */
  async #writeEach(rollups: readonly RollupPuts[]): Promise<number> {
    const concurrency = maxConcurrentWrites;
    const written = await pMap(rollups, (puts) => this.#writeOne(puts), { concurrency });
    return written.filter((isWritten) => isWritten).length;
  }

  /** The parts first: with the first item, the rollup is complete. */
  async #writeOne(puts: RollupPuts): Promise<boolean> {
    try {
      for (const { put, onlyIf } of puts.toReversed()) await this.#table.put(put, { onlyIf });
      return true;
    } catch (error) {
      if (error instanceof ConditionFailed) return false;
      throw error;
    }
  }
}

/** Groups of rollups, each of which fits into a transaction. */
function transactionsOf(rollups: readonly RollupPuts[]): RollupPuts[][] {
  const groups: RollupPuts[][] = [];
  let [group, writes, bytes]: [RollupPuts[], number, number] = [[], 0, 0];
  for (const puts of rollups) {
    const size = puts.reduce((sum, { put }) => sum + sizeOf(put), 0);
    const isFull =
      writes + puts.length > maxTransactionWrites || bytes + size > maxTransactionBytes;
    if (group.length === 0 || isFull) {
      [group, writes, bytes] = [[], 0, 0];
      groups.push(group);
    }
    group.push(puts);
    writes += puts.length;
    bytes += size;
  }
  return groups;
}

/** Bytes, at most. */
function sizeOf(item: Document): number {
  const { values, others } = item;
  const sizes = [values, others].map((text) =>
    typeof text === 'string' ? Buffer.byteLength(text) : 0,
  );
  return sizes.reduce((sum, size) => sum + size, itemOverheadBytes);
}

/** The rollups of a transaction whose condition held. @param failed indexes of writes */
function withoutFailed(rollups: readonly RollupPuts[], failed: ReadonlySet<number>): RollupPuts[] {
  let index = 0;
  return rollups.filter((puts) => {
    const from = index;
    index += puts.length;
    return puts.every((_, at) => !failed.has(from + at));
  });
}

function isNotSupported(error: unknown): boolean {
  return error instanceof Problem && error.code === 'not-supported-by-table';
}

function putsOf(device: string, rollup: NewRollup): RollupPuts {
  const [first, ...parts] = rollupItems(device, rollup);
  return [{ put: first, onlyIf: conditionOf(rollup) }, ...parts.map((put) => ({ put }))];
}

function sketchesOf(device: string, made: NewRollup): Document[] {
  const { fields } = made.summary;
  const isKnown =
    fields.size > 0 && [...fields.values()].every(({ sketch }) => sketch !== undefined);
  return isKnown ? sketchesItems(device, made, made) : [];
}

function conditionOf({ version, outdated }: NewRollup): Condition {
  if (version !== undefined) return equal('version', version);
  // A stored rollup without a version was made by another process from the same readings, unless it
  // has an earlier format or other corrections.
  return outdated === undefined ? absent('pk') : absent('version');
}

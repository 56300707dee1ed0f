import { invariant } from '@engawa/errors';
import { kindByPrefix, nameOfKind } from './key-kind.ts';
import type { PartitionKind } from '../keys/partition-kind.ts';

/** Rows of one process: of single keys, and of the merged keys of a kind in an index. */
export const maxRows = 1500;

/** Rows of merged keys: 16 kinds, each in one index, and `unknown` in each of at most eight indexes. */
const maxKindRows = 32;

/** Share of the rows of keys that are freed at once when all are occupied. */
const freedShare = 4;

/** Factor by which a key must be busier than the rows that it replaces, so that equal keys replace no other. */
const replaceFactor = 1.5;

/** Rank that remains after a minute: half of it after an hour. */
const rankPerMinute = 0.5 ** (1 / 60);

/** Bytes of a row in addition to the characters of its key: names, map entries and numbers. */
const bytesPerRow = 300;

/** The name of a row. */
export interface RowName {
  index: string;
  /** The partition key, or the first segment of the merged keys. */
  partition: string;
  kind: PartitionKind;
  merged: boolean;
}

/** The rows of the history of one process: a bounded number, of which the busiest keys have one each. */
export class HistoryRows {
  readonly #names: (RowName | undefined)[] = new Array<RowName | undefined>(maxRows);
  /** Rows of keys by index and key, and rows of merged keys by index and kind. */
  readonly #keys = new Map<string, Map<string, number>>();
  readonly #kinds = new Map<string, Map<string, number>>();
  /** The highest share of a limit in a second, which decays. */
  readonly #ranks = new Float64Array(maxRows);
  /** The minute of the last use. */
  readonly #usedIn = new Float64Array(maxRows);
  readonly #free = Array.from({ length: maxRows - maxKindRows }, (_, at) => maxRows - 1 - at);
  #kindRows = 0;
  /** A new key needs this rank while all rows are occupied. */
  #leastRank = 0;

  /** For sorting: the highest rank first. */
  readonly byRank = (left: number, right: number): number =>
    invariant(this.#ranks[right], inside) - invariant(this.#ranks[left], inside) || left - right;

  nameOf(row: number): RowName {
    return invariant(this.#names[row], 'a row in use has a name');
  }

  isMerged(row: number): boolean {
    return row < maxKindRows;
  }

  find(index: string, partition: string): number | undefined {
    return this.#keys.get(index)?.get(partition);
  }

  /** The row is used in this minute, with this share of its limit in a second. */
  touch(row: number, share: number, minute: number): void {
    if (share > invariant(this.#ranks[row], inside)) this.#ranks[row] = share;
    this.#usedIn[row] = minute;
  }

  /** Whether a key with this share of its limit gets a row, if `free` returns rows while none is left. */
  accepts(share: number): boolean {
    return this.#free.length > 0 || share >= this.#leastRank;
  }

  hasFree(): boolean {
    return this.#free.length > 0;
  }

  /** A row for a key that has none. @throws InvariantError where no row is free */
  admit(index: string, partition: string): number {
    const row = invariant(this.#free.pop(), 'the heat history has a free row');
    this.#names[row] = { index, partition, kind: kindByPrefix(index, partition), merged: false };
    mapOf(this.#keys, index).set(partition, row);
    return row;
  }

  /** The row of the merged keys of a kind. */
  kindRow(index: string, kind: PartitionKind): number {
    const known = this.#kinds.get(index)?.get(kind);
    if (known !== undefined) return known;
    if (this.#kindRows === maxKindRows) throw new Error('the heat history has too many indexes');
    const row = this.#kindRows++;
    this.#names[row] = { index, partition: nameOfKind(index, kind), kind, merged: true };
    mapOf(this.#kinds, index).set(kind, row);
    return row;
  }

  /** The row of a key that has no row of its own. */
  kindRowOfKey(index: string, partition: string): number {
    return this.kindRow(index, kindByPrefix(index, partition));
  }

  /** The row into which this row is folded. */
  kindRowOf(row: number): number {
    const { index, kind } = this.nameOf(row);
    return this.kindRow(index, kind);
  }

  /** The keys' rows that have not been used since this minute, and the least busy quarter where all are in use. */
  leastBusy(oldestMinute: number): { unused: number[]; folded: number[] } {
    const rows = this.#keyRows();
    const unused = rows.filter((row) => invariant(this.#usedIn[row], inside) < oldestMinute);
    const folded = rows.sort(this.byRank).slice(-Math.floor(rows.length / freedShare));
    return unused.length > 0 ? { unused, folded: [] } : { unused, folded };
  }

  /** The rank that a new key must have in order to replace these rows. */
  requiredOver(folded: readonly number[]): number {
    return replaceFactor * invariant(this.#ranks[invariant(folded[0], inside)], inside);
  }

  /** Remembers that a key needs this rank, until the next minute. */
  require(rank: number): void {
    this.#leastRank = rank;
  }

  release(rows: readonly number[]): void {
    for (const row of rows) {
      const { index, partition } = this.nameOf(row);
      this.#keys.get(index)?.delete(partition);
      this.#names[row] = undefined;
      this.#ranks[row] = 0;
      this.#free.push(row);
    }
    this.#leastRank = 0;
  }

  releaseAll(): void {
    this.release(this.#keyRows());
  }

  endMinutes(minutes: number): void {
    const remaining = rankPerMinute ** minutes;
    for (let row = 0; row < maxRows; row++)
      this.#ranks[row] = invariant(this.#ranks[row], inside) * remaining;
    this.#leastRank = 0;
  }

  /** Approximate memory in bytes: two for each UTF-16 unit. */
  get bytes(): number {
    const names = this.#names.reduce(
      (sum, name) => sum + (name === undefined ? 0 : bytesPerRow + 2 * name.partition.length),
      0,
    );
    return names + this.#ranks.byteLength + this.#usedIn.byteLength + 8 * maxRows;
  }

  #keyRows(): number[] {
    return this.#names.flatMap((name, row) => (name?.merged === false ? row : []));
  }
}

const inside = 'a row is one of the rows';

function mapOf(maps: Map<string, Map<string, number>>, index: string): Map<string, number> {
  const map = maps.get(index) ?? new Map<string, number>();
  maps.set(index, map);
  return map;
}

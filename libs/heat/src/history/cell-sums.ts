import { invariant } from '@engawa/errors';
import { measures } from './unit-use.ts';
import { maxRows } from './history-rows.ts';
import type { HistoryRows } from './history-rows.ts';

/** Rows of single keys in a column; further ones count in the row of their kind. */
export const maxKeysPerColumn = 200;

/** Numbers of an entry of a column: the row, reads, writes and throttles. */
export const entryLength = 1 + measures.length;

const inside = 'a cell is within the sums and the column';

/** The sums of one column while it is computed. */
export class CellSums {
  readonly #rows: HistoryRows;
  readonly #sums = new Float64Array(maxRows * measures.length);
  /** The rows with sums: a flag for each, and their list. */
  readonly #isTouched = new Uint8Array(maxRows);
  #touched: number[] = [];

  constructor(rows: HistoryRows) {
    this.#rows = rows;
  }

  /** @param place of the measure in `measures` */
  add(row: number, place: number, amount: number): void {
    const cell = row * measures.length + place;
    this.#sums[cell] = invariant(this.#sums[cell], inside) + amount;
    if (this.#isTouched[row] === 1) return;
    this.#isTouched[row] = 1;
    this.#touched.push(row);
  }

  /** Adds a column; `rowOf` may map its rows to other ones. */
  addColumn(column: Float32Array, rowOf: (row: number) => number = (row) => row): void {
    for (let at = 0; at < column.length; at += entryLength) {
      const row = rowOf(invariant(column[at], inside));
      for (let place = 0; place < measures.length; place++) {
        this.add(row, place, invariant(column[at + 1 + place], inside));
      }
    }
  }

  /** Adds the sums of the rows that `isFolded` selects to the rows of their kinds. */
  fold(isFolded: (row: number) => boolean): void {
    const folded = this.#touched.filter(isFolded);
    if (folded.length === 0) return;
    for (const row of folded) {
      const kindRow = this.#rows.kindRowOf(row);
      for (let place = 0; place < measures.length; place++) {
        this.add(kindRow, place, invariant(this.#sums[row * measures.length + place], inside));
      }
      this.#sums.fill(0, row * measures.length, (row + 1) * measures.length);
      this.#isTouched[row] = 0;
    }
    this.#touched = this.#touched.filter((row) => this.#isTouched[row] === 1);
  }

  /**
   * The column: an entry for each row, at most `maxKeysPerColumn` of them of single keys, those of the highest rank.
   * The sums of further keys are folded.
   */
  toColumn(): Float32Array | undefined {
    if (this.#touched.length === 0) return undefined;
    const keys = this.#touched.filter((row) => !this.#rows.isMerged(row));
    if (keys.length > maxKeysPerColumn) {
      const least = new Set(keys.sort(this.#rows.byRank).slice(maxKeysPerColumn));
      this.fold((row) => least.has(row));
    }
    const column = new Float32Array(this.#touched.length * entryLength);
    this.#touched.forEach((row, entry) => {
      const first = row * measures.length;
      column[entry * entryLength] = row;
      for (let place = 0; place < measures.length; place++) {
        column[entry * entryLength + 1 + place] = invariant(this.#sums[first + place], inside);
      }
    });
    return column;
  }

  clear(): void {
    for (const row of this.#touched) {
      this.#sums.fill(0, row * measures.length, (row + 1) * measures.length);
      this.#isTouched[row] = 0;
    }
    this.#touched = [];
  }

  get bytes(): number {
    return this.#sums.byteLength + this.#isTouched.byteLength + 8 * maxRows;
  }
}

import { measures } from './unit-use.ts';
import { maxRows } from './history-rows.ts';
import type { HistoryRows } from './history-rows.ts';
import type { Measure } from './unit-use.ts';

/** Rows of single keys in a column; further ones count in the row of their kind. */
export const maxKeysPerColumn = 200;

/** Numbers of an entry of a column: the row, reads, writes and throttles. */
export const entryLength = 1 + measures.length;

/** The sums of one column while it is computed. */
export class CellSums {
  readonly #rows: HistoryRows;
  readonly #sums = new Float64Array(maxRows * measures.length);
  readonly #touched = new Set<number>();

  constructor(rows: HistoryRows) {
    this.#rows = rows;
  }

  add(row: number, measure: Measure, amount: number): void {
    const cell = row * measures.length + measures.indexOf(measure);
    this.#sums[cell] = (this.#sums[cell] ?? 0) + amount;
    this.#touched.add(row);
  }

  /** Adds a column; `rowOf` may map its rows to other ones. */
  addColumn(column: Float32Array, rowOf: (row: number) => number = (row) => row): void {
    for (let at = 0; at < column.length; at += entryLength) {
      const row = rowOf(column[at] ?? 0);
      measures.forEach((measure, place) => this.add(row, measure, column[at + 1 + place] ?? 0));
    }
  }

  /** Adds the sums of the rows that `isFolded` selects to the rows of their kinds. */
  fold(isFolded: (row: number) => boolean): void {
    for (const row of this.#touched) {
      if (!isFolded(row)) continue;
      const kindRow = this.#rows.kindRowOf(row);
      measures.forEach((measure, place) => {
        const cell = row * measures.length + place;
        this.add(kindRow, measure, this.#sums[cell] ?? 0);
        this.#sums[cell] = 0;
      });
      this.#touched.delete(row);
    }
  }

  /**
   * The column: an entry for each row, at most `maxKeysPerColumn` of them of single keys, those of the highest rank. The
   * sums of further keys are folded.
   */
  toColumn(): Float32Array | undefined {
    if (this.#touched.size === 0) return undefined;
    const keys = [...this.#touched].filter((row) => !this.#rows.isMerged(row));
    if (keys.length > maxKeysPerColumn) {
      const least = new Set(keys.sort(this.#rows.byRank).slice(maxKeysPerColumn));
      this.fold((row) => least.has(row));
    }
    const column = new Float32Array(this.#touched.size * entryLength);
    let at = 0;
    for (const row of this.#touched) {
      const first = row * measures.length;
      column[at] = row;
      column.set(this.#sums.subarray(first, first + measures.length), at + 1);
      at += entryLength;
    }
    return column;
  }

  clear(): void {
    for (const row of this.#touched) {
      this.#sums.fill(0, row * measures.length, (row + 1) * measures.length);
    }
    this.#touched.clear();
  }

  get bytes(): number {
    return this.#sums.byteLength;
  }
}

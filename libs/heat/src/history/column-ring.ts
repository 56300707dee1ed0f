import { invariant } from '@engawa/errors';

/** Bytes of a column in addition to its numbers (V8, 64 bits: a typed array with its buffer). */
const bytesPerColumn = 250;

/** The latest columns, each at its number since the epoch: seconds or minutes. Columns without use take no memory. */
export class ColumnRing {
  readonly capacity: number;
  readonly #columns: (Float32Array | undefined)[];
  readonly #numbers: Float64Array;

  constructor(capacity: number) {
    this.capacity = capacity;
    this.#columns = new Array<Float32Array | undefined>(capacity);
    this.#numbers = new Float64Array(capacity).fill(-1);
  }

  at(number: number): Float32Array | undefined {
    const slot = number % this.capacity;
    return this.#numbers[slot] === number ? this.#columns[slot] : undefined;
  }

  /** Replaces the column of this number, and the one that had its place. */
  put(number: number, column: Float32Array | undefined): void {
    const slot = number % this.capacity;
    this.#columns[slot] = column;
    this.#numbers[slot] = number;
  }

  /** Replaces the columns up to this number; older ones than the capacity are dropped. */
  map(newest: number, change: (column: Float32Array) => Float32Array | undefined): void {
    for (let slot = 0; slot < this.capacity; slot++) {
      const column = this.#columns[slot];
      if (column === undefined) continue;
      const isOld =
        invariant(this.#numbers[slot], 'each slot has a number') <= newest - this.capacity;
      this.#columns[slot] = isOld ? undefined : change(column);
    }
  }

  clear(): void {
    this.#columns.fill(undefined);
    this.#numbers.fill(-1);
  }

  get bytes(): number {
    return this.#columns.reduce(
      (sum, column) => sum + (column === undefined ? 0 : column.byteLength + bytesPerColumn),
      this.#numbers.byteLength + 8 * this.capacity,
    );
  }
}

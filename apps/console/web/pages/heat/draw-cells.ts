import { lookupShift } from './palette.ts';

export interface DrawnWindow {
  /** The values of each row from top to bottom; a value is at its column modulo their length. */
  rows: readonly Float32Array[];
  /** The first column, counted from the epoch, and the number of columns. */
  first: number;
  columns: number;
  /** Columns that share a pixel, where there are more columns than pixels: the pixel shows their maximum. */
  pool: number;
}

/** Pixels per row. Groups of pooled columns begin at multiples of `pool`, so that a moving picture does not flicker. */
export function pixelColumns({ first, columns, pool }: Omit<DrawnWindow, 'rows'>): number {
  return Math.ceil((first + columns) / pool) - Math.floor(first / pool);
}

/**
 * Draws one pixel per cell. Two lookups and a store per cell, without an allocation.
 * @param pixels of an ImageData of `pixelColumns` × rows
 * @param lookup of `lookupTable`
 */
export function drawCells(pixels: Uint32Array, window: DrawnWindow, lookup: Uint32Array): void {
  const width = pixelColumns(window);
  window.rows.forEach((values, row) => {
    // Values are not negative, so their bits are in the order of the values.
    const bits = new Int32Array(values.buffer, values.byteOffset, values.length);
    if (window.pool === 1) drawRow(pixels, row * width, { bits, window, lookup });
    else drawPooledRow(pixels, row * width, { bits, window, lookup });
  });
}

interface DrawnRow {
  bits: Int32Array;
  window: DrawnWindow;
  lookup: Uint32Array;
}

function drawRow(pixels: Uint32Array, start: number, { bits, window, lookup }: DrawnRow): void {
  const { first, columns } = window;
  const length = bits.length;
  const offset = ((first % length) + length) % length;
  const untilWrap = Math.min(columns, length - offset);
  let pixel = start;
  for (let cell = offset; cell < offset + untilWrap; cell += 1) {
    pixels[pixel++] = lookup[(bits[cell] ?? 0) >>> lookupShift] ?? 0;
  }
  for (let cell = 0; cell < columns - untilWrap; cell += 1) {
    pixels[pixel++] = lookup[(bits[cell] ?? 0) >>> lookupShift] ?? 0;
  }
}

/** The ring of a row from its first column on, so that the loop over groups does not wrap around. */
let line = new Int32Array(0);

function drawPooledRow(
  pixels: Uint32Array,
  start: number,
  { bits, window, lookup }: DrawnRow,
): void {
  const { first, columns, pool } = window;
  const offset = ((first % bits.length) + bits.length) % bits.length;
  if (line.length !== bits.length) line = new Int32Array(bits.length);
  line.set(bits.subarray(offset));
  line.set(bits.subarray(0, offset), bits.length - offset);
  let pixel = start;
  let cell = 0;
  let groupEnd = pool - (first % pool);
  while (cell < columns) {
    if (groupEnd > columns) groupEnd = columns;
    let highest = 0;
    for (; cell < groupEnd; cell += 1) {
      const value = line[cell] ?? 0;
      highest = Math.max(highest, value);
    }
    pixels[pixel++] = lookup[highest >>> lookupShift] ?? 0;
    groupEnd += pool;
  }
}

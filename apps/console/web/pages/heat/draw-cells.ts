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

/** Whole groups in a loop of their own; a group at an end of the window or of the ring has parts. */
function drawPooledRow(
  pixels: Uint32Array,
  start: number,
  { bits, window, lookup }: DrawnRow,
): void {
  const { first, columns, pool } = window;
  let pixel = start;
  let cell = ((first % bits.length) + bits.length) % bits.length;
  let remaining = columns;
  let groupLeft = pool - (first % pool);
  let highest = 0;
  while (remaining > 0) {
    const untilWrap = Math.min(remaining, bits.length - cell);
    if (groupLeft === pool && untilWrap >= pool) {
      const end = cell + untilWrap - (untilWrap % pool);
      drawGroups(pixels, pixel, { bits, from: cell, to: end, pool, lookup });
      pixel += (end - cell) / pool;
      remaining -= end - cell;
      cell = end;
    } else {
      const end = cell + Math.min(groupLeft, untilWrap);
      highest = highestOf(bits, cell, end, highest);
      groupLeft -= end - cell;
      remaining -= end - cell;
      cell = end;
      if (groupLeft === 0 || remaining === 0) {
        pixels[pixel++] = lookup[highest >>> lookupShift] ?? 0;
        groupLeft = pool;
        highest = 0;
      }
    }
    if (cell === bits.length) cell = 0;
  }
}

interface Groups {
  bits: Int32Array;
  from: number;
  to: number;
  pool: number;
  lookup: Uint32Array;
}

function drawGroups(
  pixels: Uint32Array,
  start: number,
  { bits, from, to, pool, lookup }: Groups,
): void {
  let pixel = start;
  // A day of minutes on most screens: half the time of the loop below.
  if (pool === 2) {
    for (let cell = from; cell < to; cell += 2) {
      const value = bits[cell] ?? 0;
      const excess = ((bits[cell + 1] ?? 0) - value) | 0;
      const highest = (value + (excess & ~(excess >> 31))) | 0;
      pixels[pixel++] = lookup[highest >>> lookupShift] ?? 0;
    }
    return;
  }
  for (let cell = from; cell < to; cell += pool) {
    pixels[pixel++] = lookup[highestOf(bits, cell, cell + pool, 0) >>> lookupShift] ?? 0;
  }
}

/** Without a branch, which a processor cannot predict here: it takes half the time of Math.max. */
function highestOf(bits: Int32Array, from: number, to: number, least: number): number {
  let highest = least;
  for (let cell = from; cell < to; cell += 1) {
    const excess = ((bits[cell] ?? 0) - highest) | 0;
    highest = (highest + (excess & ~(excess >> 31))) | 0;
  }
  return highest;
}

import { pixelColumns } from './draw-cells.ts';

export interface MarkedWindow {
  /** Of each row from top to bottom the throttled cells of its ring, in ascending order. */
  rows: readonly (readonly number[])[];
  /** Cells of a ring. */
  length: number;
  /** As of `DrawnWindow`. */
  first: number;
  columns: number;
  pool: number;
}

/**
 * Marks throttled cells of a picture whose rows are too low for stripes: every other pixel of a run has the colour of
 * marks, the first one included, so that a run is neither a colour of the palette nor without one.
 * @param pixels as of `drawCells`
 * @param colour a pixel of `pixelOf`
 */
export function markCells(pixels: Uint32Array, window: MarkedWindow, colour: number): void {
  const width = pixelColumns(window);
  window.rows.forEach((cells, row) => {
    if (cells.length > 0) markRow(pixels, row * width, { cells, window, colour });
  });
}

interface MarkedRow {
  cells: readonly number[];
  window: MarkedWindow;
  colour: number;
}

function markRow(pixels: Uint32Array, start: number, { cells, window, colour }: MarkedRow): void {
  const { first, columns, pool, length } = window;
  const offset = ((first % length) + length) % length;
  const shift = first % pool;
  // The ring from the window's first cell on: its end comes before its beginning.
  const wrapped = cells.findIndex((cell) => cell >= offset);
  const from = wrapped === -1 ? cells.length : wrapped;
  let last = -1;
  let lastEnd = 0;
  let isMarked = false;
  for (let at = 0; at < cells.length; at += 1) {
    const index = from + at < cells.length ? from + at : from + at - cells.length;
    const cell = cells[index] ?? 0;
    const column = cell >= offset ? cell - offset : cell - offset + length;
    if (column >= columns) return;
    if (column < lastEnd) continue;
    const pixel = Math.trunc((column + shift) / pool);
    isMarked = !(isMarked && pixel === last + 1);
    if (isMarked) pixels[start + pixel] = colour;
    last = pixel;
    lastEnd = (pixel + 1) * pool - shift;
  }
}

/** A pixel of an ImageData on a little-endian machine. @param text an opaque colour as `#rrggbb` */
export function pixelOf(text: string): number {
  const rgb = Number.parseInt(text.slice(1), 16);
  return ((255 << 24) | ((rgb & 255) << 16) | (rgb & 0xff00) | (rgb >> 16)) >>> 0;
}

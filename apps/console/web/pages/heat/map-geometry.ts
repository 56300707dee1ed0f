import { pixelColumns } from './draw-cells.ts';
import type { HeatGrid } from './heat-grid.ts';

/** Sizes in CSS pixels. */
export interface MapGeometry {
  width: number;
  height: number;
  rowHeight: number;
  rows: number;
  /** The columns of the window, and how many of them share a pixel of the picture. */
  first: number;
  columns: number;
  pool: number;
}

const maxRowHeight = 20;
/** The height of a map whose rows are lower than a name. */
const fullHeight = 560;

export function geometryOf(
  { first, columns }: Pick<HeatGrid, 'first' | 'columns'>,
  { width, rows }: { width: number; rows: number },
): MapGeometry {
  const fitting = Math.floor(fullHeight / Math.max(1, rows));
  const rowHeight = Math.min(maxRowHeight, Math.max(1, fitting));
  const density = globalThis.devicePixelRatio || 1;
  const pool = Math.max(1, Math.ceil(columns / Math.max(1, width * density)));
  return { width, height: rows * rowHeight, rowHeight, rows, first, columns, pool };
}

/** The left edge of a column. */
export function xOf(column: number, { width, first, columns, pool }: MapGeometry): number {
  const firstPixel = Math.floor(first / pool);
  const pixels = pixelColumns({ first, columns, pool });
  return ((column / pool - firstPixel) / pixels) * width;
}

/** A row, and a column of the window. */
export interface Cell {
  row: number;
  column: number;
}

/** The cell at a point; undefined outside. With pooled columns the last one of its pixel. */
export function cellAt(x: number, y: number, geometry: MapGeometry): Cell | undefined {
  const { width, height, rowHeight, first, columns, pool } = geometry;
  if (x < 0 || y < 0 || x >= width || y >= height) return undefined;
  const pixels = pixelColumns({ first, columns, pool });
  const pixel = Math.floor(first / pool) + Math.floor((x / width) * pixels);
  const column = Math.min(Math.max(pixel * pool + pool - 1, first), first + columns - 1);
  return { row: Math.floor(y / rowHeight), column };
}

/** Steps of the time axis in milliseconds: one minute to six hours. */
const tickSteps = [60_000, 120_000, 300_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000];

/** Times with a label, at whole minutes or hours of the viewer's zone. @param minWidth pixels between labels */
export function ticksOf(grid: HeatGrid, geometry: MapGeometry, minWidth: number): Date[] {
  const { width, columns, first } = geometry;
  const lengthMs = columns * grid.stepMs;
  const step = tickSteps.find((ms) => (ms / lengthMs) * width >= minWidth) ?? lengthMs;
  const startMs = first * grid.stepMs;
  const zoneMs = -new Date(startMs).getTimezoneOffset() * 60_000;
  const ticks: Date[] = [];
  for (let at = Math.ceil((startMs + zoneMs) / step) * step; ; at += step) {
    const time = at - zoneMs;
    if (time >= startMs + lengthMs) return ticks;
    ticks.push(new Date(time));
  }
}

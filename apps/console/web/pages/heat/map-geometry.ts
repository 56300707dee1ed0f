import { pixelColumns } from './draw-cells.ts';
import type { HeatGrid } from './heat-grid.ts';

/** Sizes in CSS pixels. The first rows are tall and have names; further rows are as low as they have to be. */
export interface MapGeometry {
  width: number;
  height: number;
  rows: number;
  /** How many rows are tall. */
  tall: number;
  lowHeight: number;
  /** The columns of the window, and how many of them share a pixel of the picture. */
  first: number;
  columns: number;
  pool: number;
}

export const tallHeight = 20;
/** The height of a map with low rows. */
const fullHeight = 560;
/** Tall rows where there are more rows than fit, in the order by load. */
const tallOfMany = 14;
/** Between tall and low rows. */
const gap = 6;
const maxLowHeight = 8;

interface MapSize {
  width: number;
  rows: number;
  /** Whether the first rows are the hottest. */
  isByLoad: boolean;
}

export function geometryOf(
  { first, columns }: HeatGrid['shown'],
  { width, rows, isByLoad }: MapSize,
): MapGeometry {
  const density = globalThis.devicePixelRatio || 1;
  const pool = Math.max(1, Math.ceil(columns / Math.max(1, width * density)));
  const common = { width, rows, first, columns, pool };
  if (rows * tallHeight <= fullHeight) {
    return { ...common, tall: rows, lowHeight: tallHeight, height: rows * tallHeight };
  }
  const tall = isByLoad ? tallOfMany : 0;
  const top = tall === 0 ? 0 : tall * tallHeight + gap;
  const fitting = Math.floor((fullHeight - top) / (rows - tall));
  const lowHeight = Math.min(maxLowHeight, Math.max(1, fitting));
  return { ...common, tall, lowHeight, height: top + (rows - tall) * lowHeight };
}

/** The upper edge of a row. */
export function yOf(row: number, { tall, lowHeight }: MapGeometry): number {
  if (row < tall) return row * tallHeight;
  return (tall === 0 ? 0 : tall * tallHeight + gap) + (row - tall) * lowHeight;
}

export function rowHeight(row: number, { tall, lowHeight }: MapGeometry): number {
  return row < tall ? tallHeight : lowHeight;
}

function rowAt(y: number, geometry: MapGeometry): number | undefined {
  const { rows, tall, lowHeight } = geometry;
  if (y < tall * tallHeight) return Math.floor(y / tallHeight);
  const row = tall + Math.floor((y - yOf(tall, geometry)) / lowHeight);
  return row >= tall && row < rows ? row : undefined;
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
  const { width, first, columns, pool } = geometry;
  const row = rowAt(y, geometry);
  if (x < 0 || y < 0 || x >= width || row === undefined) return undefined;
  const pixels = pixelColumns({ first, columns, pool });
  const pixel = Math.floor(first / pool) + Math.floor((x / width) * pixels);
  const column = Math.min(Math.max(pixel * pool + pool - 1, first), first + columns - 1);
  return { row, column };
}

/** Steps of the time axis in milliseconds: 15 seconds to six hours. */
const tickSteps = [
  15_000, 30_000, 60_000, 120_000, 300_000, 3_600_000, 7_200_000, 10_800_000, 21_600_000,
];

/** Times with a label, at whole steps of the viewer's zone. @param minWidth pixels between labels */
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

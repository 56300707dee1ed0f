import { rowHeight, xOf, yOf } from './map-geometry.ts';
import type { HeatGrid, HeatRow } from './heat-grid.ts';
import type { Cell, MapGeometry } from './map-geometry.ts';

export interface MarkColours {
  /** Lines, and the halo that separates them from any colour of the palette. */
  line: string;
  halo: string;
  accent: string;
}

export interface Marks {
  grid: HeatGrid;
  rows: readonly HeatRow[];
  geometry: MapGeometry;
  colours: MarkColours;
  cursor: Cell | undefined;
  selected: number;
}

type Context = CanvasRenderingContext2D;

/** Draws what is not a colour: throttled cells with stripes, reshards, the cursor and the selected row. */
export function drawMarks(canvas: HTMLCanvasElement, marks: Marks): void {
  const { width, height } = marks.geometry;
  const density = devicePixelRatio || 1;
  const [pixelWidth, pixelHeight] = [Math.round(width * density), Math.round(height * density)];
  if (canvas.width !== pixelWidth) canvas.width = pixelWidth;
  if (canvas.height !== pixelHeight) canvas.height = pixelHeight;
  const context = canvas.getContext('2d');
  if (context === null) return;
  context.setTransform(density, 0, 0, density, 0, 0);
  context.clearRect(0, 0, width, height);
  marks.rows.forEach((row, at) => {
    if (row.total.throttles > 0) drawThrottles(context, marks, { row, at });
  });
  for (const { time } of marks.grid.reshards) drawReshard(context, marks, Date.parse(time));
  drawCursor(context, marks);
}

const minMarkWidth = 3;

/** An outline around each run of throttled columns, with stripes inside. */
function drawThrottles(
  context: Context,
  { geometry, colours }: Marks,
  { row, at }: { row: HeatRow; at: number },
): void {
  const { first, columns } = geometry;
  const { throttles } = row;
  const isThrottled = (column: number): boolean =>
    column < first + columns && (throttles[column % throttles.length] ?? 0) > 0;
  const top = yOf(at, geometry);
  const height = Math.max(2, rowHeight(at, geometry));
  const path = new Path2D();
  for (let column = first; column < first + columns; column += 1) {
    if (!isThrottled(column)) continue;
    const begin = column;
    while (isThrottled(column + 1)) column += 1;
    const left = xOf(begin, geometry);
    const width = Math.max(minMarkWidth, xOf(column + 1, geometry) - left);
    addStripes(path, { left, top, width, height });
  }
  strokeTwice(context, path, colours);
}

const stripeDistance = 6;

function addStripes(
  path: Path2D,
  { left, top, width, height }: { left: number; top: number; width: number; height: number },
): void {
  path.rect(left + 0.5, top + 0.5, Math.max(1, width - 1), height - 1);
  for (let x = left - height; x < left + width; x += stripeDistance) {
    const from = Math.max(0, left - x);
    const to = Math.min(height, left + width - x);
    if (to <= from) continue;
    path.moveTo(x + from, top + height - from);
    path.lineTo(x + to, top + height - to);
  }
}

function strokeTwice(context: Context, path: Path2D, { line, halo }: MarkColours): void {
  context.strokeStyle = halo;
  context.lineWidth = 2.5;
  context.stroke(path);
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.stroke(path);
}

/** A dashed line with a flag. */
function drawReshard(context: Context, { grid, geometry, colours }: Marks, timeMs: number): void {
  const x = Math.round(xOf(timeMs / grid.stepMs, geometry)) + 0.5;
  if (x < 0 || x > geometry.width) return;
  const path = new Path2D();
  path.moveTo(x, 0);
  path.lineTo(x, geometry.height);
  context.save();
  context.setLineDash([4, 3]);
  strokeTwice(context, path, colours);
  context.restore();
}

function drawCursor(context: Context, { geometry, colours, cursor, selected }: Marks): void {
  const { width, height } = geometry;
  const frame = (row: number, inset: number): void => {
    const rowTall = Math.max(3, rowHeight(row, geometry));
    context.strokeRect(inset, yOf(row, geometry) + inset, width - 2 * inset, rowTall - 2 * inset);
  };
  context.strokeStyle = colours.accent;
  context.lineWidth = 2;
  if (selected >= 0) frame(selected, 1);
  if (cursor === undefined) return;
  const x = xOf(cursor.column + 0.5, geometry);
  context.lineWidth = 1;
  context.strokeStyle = colours.line;
  frame(cursor.row, 0.5);
  context.beginPath();
  context.moveTo(x, 0);
  context.lineTo(x, height);
  context.stroke();
}

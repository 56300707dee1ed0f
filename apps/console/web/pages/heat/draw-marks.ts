import { drawThrottles } from './draw-throttles.ts';
import { rowHeight, xOf, yOf } from './map-geometry.ts';
import type { MarkColours, Marks } from './marks.ts';

type Context = CanvasRenderingContext2D;

/**
 * Draws what is not a colour: throttled cells of tall rows, reshards, the cursor and the selected row. The picture of
 * low rows has their throttles (`markCells`).
 */
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
  drawThrottles(context, marks);
  for (const { time } of marks.grid.reshards) drawReshard(context, marks, Date.parse(time));
  drawCursor(context, marks);
}

/** A dashed line from top to bottom. */
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

function strokeTwice(context: Context, path: Path2D, { line, halo }: MarkColours): void {
  context.strokeStyle = halo;
  context.lineWidth = 2.5;
  context.stroke(path);
  context.strokeStyle = line;
  context.lineWidth = 1;
  context.stroke(path);
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

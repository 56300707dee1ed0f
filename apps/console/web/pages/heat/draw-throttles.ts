import { tallHeight, xOf, yOf } from './map-geometry.ts';
import type { MarkColours, Marks } from './marks.ts';

interface Box {
  left: number;
  top: number;
  width: number;
}

const minMarkWidth = 3;
/** Stripes need this width; a narrower mark is a line. */
const minStripedWidth = 8;
const stripeDistance = 6;

/** Marks each run of throttled columns of the tall rows: an outline with stripes, or a line where it is narrow. */
export function drawThrottles(context: CanvasRenderingContext2D, marks: Marks): void {
  const boxes = boxesOf(marks);
  const { line, halo } = marks.colours;
  const striped = boxes.filter(({ width }) => width >= minStripedWidth);
  const narrow = boxes.filter(({ width }) => width < minStripedWidth);
  context.fillStyle = halo;
  for (const { left, top, width } of narrow) context.fillRect(left, top, width, tallHeight);
  context.fillStyle = line;
  for (const { left, top, width } of narrow) {
    context.fillRect(left + 1, top, width - 2, tallHeight);
  }
  context.fillStyle = striped.length === 0 ? line : stripes(context, marks.colours);
  context.strokeStyle = line;
  context.lineWidth = 1;
  for (const { left, top, width } of striped) {
    context.fillRect(left, top, width, tallHeight);
    context.strokeRect(left + 0.5, top + 0.5, width - 1, tallHeight - 1);
  }
}

function boxesOf({ rows, geometry }: Marks): Box[] {
  const { first, columns, tall } = geometry;
  const end = first + columns;
  return rows.slice(0, tall).flatMap(({ throttles, total }, at) => {
    const boxes: Box[] = [];
    if (total.throttles === 0) return boxes;
    const isThrottled = (column: number): boolean =>
      column < end && (throttles[column % throttles.length] ?? 0) > 0;
    for (let column = first; column < end; column += 1) {
      if (!isThrottled(column)) continue;
      // Whole pixels have sharp edges.
      const left = Math.round(xOf(column, geometry));
      while (isThrottled(column + 1)) column += 1;
      const width = Math.max(minMarkWidth, Math.round(xOf(column + 1, geometry)) - left);
      boxes.push({ left, top: yOf(at, geometry), width });
    }
    return boxes;
  });
}

/** A pattern is filled in a fraction of the time of a path of lines. */
const patterns = new Map<string, CanvasPattern>();

function stripes(
  context: CanvasRenderingContext2D,
  { line, halo }: MarkColours,
): CanvasPattern | string {
  const density = devicePixelRatio || 1;
  const name = `${line} ${halo} ${density}`;
  const known = patterns.get(name);
  if (known !== undefined) return known;
  const tile = document.createElement('canvas');
  tile.width = tile.height = Math.round(stripeDistance * density);
  const tileContext = tile.getContext('2d');
  if (tileContext === null) return line;
  tileContext.scale(tile.width / stripeDistance, tile.width / stripeDistance);
  for (const [colour, width] of [
    [halo, 2.5],
    [line, 1],
  ] as const) {
    tileContext.strokeStyle = colour;
    tileContext.lineWidth = width;
    tileContext.beginPath();
    for (const offset of [-stripeDistance, 0, stripeDistance]) {
      tileContext.moveTo(offset - 1, stripeDistance + 1);
      tileContext.lineTo(offset + stripeDistance + 1, -1);
    }
    tileContext.stroke();
  }
  const pattern = context.createPattern(tile, 'repeat');
  if (pattern === null) return line;
  pattern.setTransform(new DOMMatrix().scale(stripeDistance / tile.width));
  patterns.set(name, pattern);
  return pattern;
}

import { drawCells, pixelColumns } from './draw-cells.ts';
import { domainOf, lookupTable } from './palette.ts';
import type { HeatGrid, HeatRow, Measure } from './heat-grid.ts';
import type { MapGeometry } from './map-geometry.ts';
import type { PaletteTheme } from './palette.ts';

export interface Picture {
  grid: HeatGrid;
  rows: readonly HeatRow[];
  measure: Measure;
  theme: PaletteTheme;
  geometry: MapGeometry;
}

/** The name of the `performance.measure` of each drawing. */
export const drawingMeasure = 'engawa:heat-drawing';

const images = new WeakMap<HTMLCanvasElement, ImageData>();
const lookups = new Map<string, Uint32Array>();

/** Draws a pixel per cell; the style sheet scales the canvas. */
export function drawPicture(canvas: HTMLCanvasElement, picture: Picture): void {
  const startTime = performance.now();
  const { rows, measure, geometry } = picture;
  const { first, columns, pool } = geometry;
  const width = pixelColumns({ first, columns, pool });
  const height = Math.max(1, rows.length);
  if (canvas.width !== width) canvas.width = width;
  if (canvas.height !== height) canvas.height = height;
  const context = canvas.getContext('2d');
  if (context === null) return;
  const known = images.get(canvas);
  const isSame = known?.width === width && known.height === height;
  const image = isSame ? known : context.createImageData(width, height);
  images.set(canvas, image);
  const window = { rows: rows.map((row) => row[measure]), first, columns, pool };
  drawCells(new Uint32Array(image.data.buffer), window, lookupOf(picture));
  context.putImageData(image, 0, 0);
  performance.clearMeasures(drawingMeasure);
  performance.measure(drawingMeasure, {
    start: startTime,
    detail: { rows: rows.length, columns },
  });
}

function lookupOf({ grid, measure, theme }: Picture): Uint32Array {
  const { resolution, limits } = grid;
  const name = [theme, measure, resolution, limits.read, limits.write].join(' ');
  const found =
    lookups.get(name) ??
    lookupTable(theme, { measure, resolution, domain: domainOf(measure, limits) });
  lookups.set(name, found);
  return found;
}

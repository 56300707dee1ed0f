import { drawCells, pixelColumns } from './draw-cells.ts';
import { markCells, pixelOf } from './mark-cells.ts';
import { tallHeight, yOf } from './map-geometry.ts';
import { domainOf, lookupTable } from './palette.ts';
import type { HeatGrid } from './heat-grid.ts';
import type { HeatRow, Measure } from './heat-row.ts';
import type { MapGeometry } from './map-geometry.ts';
import type { PaletteTheme } from './palette.ts';

export interface Picture {
  grid: HeatGrid;
  rows: readonly HeatRow[];
  measure: Measure;
  theme: PaletteTheme;
  geometry: MapGeometry;
  /** The colour of marks, as `#rrggbb`. */
  mark: string;
}

/** The name of the `performance.measure` of each drawing. */
export const drawingMeasure = 'engawa:heat-drawing';

const images = new WeakMap<HTMLCanvasElement, ImageData>();
const lookups = new Map<string, Uint32Array>();

/** Draws the tall rows and the low rows, which have different heights, on a canvas each. */
export function drawPictures(canvases: Record<'tall' | 'low', HTMLCanvasElement>, of: Picture) {
  const startTime = performance.now();
  const { rows, geometry } = of;
  drawPicture(canvases.tall, { ...of, rows: rows.slice(0, geometry.tall) });
  drawPicture(canvases.low, { ...of, rows: rows.slice(geometry.tall), marksThrottles: true });
  performance.clearMeasures(drawingMeasure);
  performance.measure(drawingMeasure, {
    start: startTime,
    detail: { rows: rows.length, columns: geometry.columns },
  });
}

/** Where both canvases are in the map, as styles. */
export function picturePlaces(geometry: MapGeometry) {
  const { rows, tall, lowHeight } = geometry;
  return {
    tall: { height: `${tall * tallHeight}px` },
    low: { top: `${yOf(tall, geometry)}px`, height: `${(rows - tall) * lowHeight}px` },
  };
}

/** Draws a pixel per cell; the style sheet scales the canvas. */
function drawPicture(
  canvas: HTMLCanvasElement,
  picture: Picture & { marksThrottles?: boolean },
): void {
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
  const pixels = new Uint32Array(image.data.buffer);
  const window = { first, columns, pool };
  drawCells(pixels, { ...window, rows: rows.map((row) => row[measure]) }, lookupOf(picture));
  if (picture.marksThrottles === true) {
    const { columns: length } = picture.grid;
    const marked = rows.map((row) => row.throttled);
    markCells(pixels, { ...window, length, rows: marked }, pixelOf(picture.mark));
  }
  context.putImageData(image, 0, 0);
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

import '../pages/heat/heat.css';
import '../pages/heat/heat-map.css';
import { drawMarks } from '../pages/heat/draw-marks.ts';
import { markColours } from '../pages/heat/marks.ts';
import { drawPictures, picturePlaces } from '../pages/heat/draw-picture.ts';
import { compactHistory } from '../pages/heat/feed/compact-history.ts';
import { HeatGrid, columnSeconds } from '../pages/heat/heat-grid.ts';
import { geometryOf } from '../pages/heat/map-geometry.ts';
import { sortRows } from '../pages/heat/row-order.ts';
import { nextFrame, nextTask } from './frames.ts';
import type { MergedHistory } from '../pages/heat/feed/compact-history.ts';
import type { Resolution } from '../pages/heat/heat-grid.ts';
import type { Measure } from '../pages/heat/heat-row.ts';
import type { PaletteTheme } from '../pages/heat/palette.ts';

export interface PreparedHeat {
  rows: number;
  columns: number;
  resolution: Resolution;
  /** CSS pixels of the map. */
  width: number;
  /** The share of throttled cells; by default 0.02. */
  throttled?: number;
}

export interface DrawnHeat {
  theme?: PaletteTheme;
  measure?: Measure;
}

const startMs = Date.UTC(2026, 0, 1);

let grid = new HeatGrid('second');
let host = document.createElement('div');

/** Fills a grid: each row has values in all columns, as no row of a real table has. */
export async function prepareHeat({
  rows,
  columns,
  resolution,
  width,
  throttled = 0.02,
}: PreparedHeat): Promise<void> {
  grid = new HeatGrid(resolution, columns);
  await grid.apply([compactHistory(historyOf({ rows, columns, resolution, throttled }))]);
  host.remove();
  host = document.createElement('div');
  host.className = 'heat-plot';
  host.style.width = `${width}px`;
  for (const name of ['heat-picture', 'heat-picture', 'heat-marks']) {
    const canvas = document.createElement('canvas');
    canvas.className = name;
    host.append(canvas);
  }
  document.body.append(host);
}

/** Draws all rows as the Heat page does. @returns milliseconds until the frame after the drawing */
export async function drawHeat({ theme = 'dark', measure = 'load' }: DrawnHeat = {}) {
  await nextTask(); // a task of its own
  const began = performance.now();
  const rows = sortRows(grid.rows, 'load');
  const size = { width: host.clientWidth, rows: rows.length, isByLoad: true };
  const geometry = geometryOf(grid.shown, size);
  host.style.height = `${geometry.height}px`;
  const [tall, low, marks] = [...host.querySelectorAll('canvas')];
  if (tall === undefined || low === undefined || marks === undefined) throw new Error('no canvas');
  const places = picturePlaces(geometry);
  Object.assign(tall.style, places.tall);
  Object.assign(low.style, places.low);
  const colours = markColours(marks);
  drawPictures({ tall, low }, { grid, rows, measure, theme, geometry, mark: colours.line });
  drawMarks(marks, { grid, rows, geometry, colours, cursor: undefined, selected: 0 });
  await nextFrame();
  return performance.now() - began;
}

function historyOf({
  rows,
  columns,
  resolution,
  throttled,
}: Omit<Required<PreparedHeat>, 'width'>): MergedHistory {
  const next = random();
  const scale = columnSeconds[resolution] * 1000;
  return {
    ...{ resolution, start: new Date(startMs).toISOString(), columns, keys: 'shown' },
    limits: { read: 3000, write: 1000 },
    rows: Array.from({ length: rows }, (_, at) => ({
      ...{ index: 'table', partition: `DEVICE#${at}`, kind: 'device', merged: false },
      reads: series(columns, () => next() ** 3 * scale),
      writes: series(columns, () => next() ** 3 * scale),
      throttles: series(columns, () => (next() < throttled ? 1 : 0)),
    })),
    reshards: [1, 2, 3].map((at) => ({
      time: new Date(startMs + (at / 4) * columns * columnSeconds[resolution] * 1000).toISOString(),
      ...{ family: 'LIST#DEVICE', from: 2 ** (at - 1), to: 2 ** at },
    })),
    processes: [],
  };
}

function series(columns: number, value: () => number) {
  return [{ first: 0, values: Array.from({ length: columns }, value) }];
}

/** A reproducible sequence between 0 and 1 (Lehmer, MINSTD). */
function random(): () => number {
  let state = 7919;
  return () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 2_147_483_647;
  };
}

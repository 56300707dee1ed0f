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

/** The most rows, and all minutes of a day. */
const rowCount = 1500;
const columns = 1440;
const resolution = 'minute';
/** CSS pixels of the map. */
const width = 1000;
/** The share of throttled cells. */
const throttled = 0.02;

const startMs = Date.UTC(2026, 0, 1);

let grid = new HeatGrid(resolution, columns);
let host = document.createElement('div');

/** Fills a grid: each row has values in all columns, as no row of a real table has. */
export async function prepareHeat(): Promise<void> {
  grid = new HeatGrid(resolution, columns);
  await grid.apply([compactHistory(denseHistory())]);
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

/** Draws all rows as the Heat page does, until the frame after the drawing. */
export async function drawHeat(): Promise<void> {
  await nextTask(); // a task of its own
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
  const look = { measure: 'load', theme: 'dark' } as const;
  drawPictures({ tall, low }, { grid, rows, ...look, geometry, mark: colours.line });
  drawMarks(marks, { grid, rows, geometry, colours, cursor: undefined, selected: 0 });
  await nextFrame();
}

function denseHistory(): MergedHistory {
  const next = random();
  const scale = columnSeconds[resolution] * 1000;
  return {
    ...{ resolution, start: new Date(startMs).toISOString(), columns, keys: 'shown' },
    limits: { read: 3000, write: 1000 },
    rows: Array.from({ length: rowCount }, (_, at) => ({
      ...{ index: 'table', partition: `DEVICE#${at}`, kind: 'device', merged: false },
      reads: series(() => next() ** 3 * scale),
      writes: series(() => next() ** 3 * scale),
      throttles: series(() => (next() < throttled ? 1 : 0)),
    })),
    reshards: [1, 2, 3].map((at) => ({
      time: new Date(startMs + (at / 4) * columns * columnSeconds[resolution] * 1000).toISOString(),
      ...{ family: 'LIST#DEVICE', from: 2 ** (at - 1), to: 2 ** at },
    })),
    processes: [],
  };
}

function series(value: () => number) {
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

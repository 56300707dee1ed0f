import '../theme/theme.css';
import '../theme/base.css';
import 'uplot/dist/uPlot.min.css';
import { createPlot } from '../charts/create-plot.ts';
import { lineData } from '../charts/line-data.ts';
import { PointBuffer } from '../charts/points.ts';
import { nextFrame, nextTask } from './frames.ts';
import { drawHeat, prepareHeat } from './heat.ts';
import type { Chart } from '../charts/chart.ts';
import type { Column } from '../charts/join-points.ts';

/** What `npm run bench -- console` calls in this page. */
export interface DrawingBench {
  /** Makes readings of one series. */
  prepare: (count: number) => void;
  /** Draws them as the Explore page does, until the frame after the drawing. */
  draw: () => Promise<void>;
  /** Fills the grid of the Heat page. */
  prepareHeat: typeof prepareHeat;
  /** Draws the grid as the Heat page does, until the frame after the drawing. */
  drawHeat: typeof drawHeat;
}

const width = 1200;
const secondMs = 1000;
const start = Date.UTC(2026, 0, 1);

let readings = new PointBuffer();
function prepare(count: number): void {
  readings = new PointBuffer();
  let value = 20;
  // A reproducible walk (Lehmer, MINSTD): neighbours differ little, as of a sensor.
  let state = 7919;
  for (let index = 0; index < count; index += 1) {
    state = (state * 48_271) % 2_147_483_647;
    value += state / 2_147_483_647 - 0.5;
    readings.add(start + index * secondMs, value);
  }
}

async function draw(): Promise<void> {
  const host = document.getElementById('plot');
  if (host === null) throw new Error('the page has no #plot');
  await nextTask(); // a task of its own
  const { times, columns } = await lineData([readings], { ...range(), columns: width });
  const plot = createPlot(host, chartOf(times, columns[0] ?? []), {
    width,
    language: 'en',
    isDark: false,
    view: range,
    onSelect: () => undefined,
    onCursor: () => undefined,
    onDoubleClick: () => undefined,
  });
  await nextFrame();
  plot.destroy();
}

function range() {
  return { from: start, to: start + readings.length * secondMs };
}

function chartOf(times: number[], column: Column): Chart {
  return {
    key: 'bench',
    kind: 'lines',
    title: 'bench',
    unit: undefined,
    detail: '',
    range: range(),
    timeZone: 'UTC',
    times,
    series: [{ key: 'bench', label: 'bench', role: 'value', color: 0, column }],
    tables: [],
  };
}

(globalThis as { bench?: DrawingBench }).bench = { prepare, draw, prepareHeat, drawHeat };

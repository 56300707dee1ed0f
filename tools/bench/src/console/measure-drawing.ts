import { median, spread } from '../statistics.ts';
import type { Finding, Print } from '../report.ts';
import type { BenchPage } from './bench-page.ts';
import type { ConsoleOptions } from './options.ts';

/** Milliseconds for a million readings, and for the longest task of them. */
const targetMs = 200;
const targetTaskMs = 50;

interface Drawing {
  /** By wall clock, until the frame after the drawing. */
  wallMs: number;
  /** CPU of the main thread. */
  cpuMs: number;
  /** Of 50 ms or more. */
  longTasksMs: number[];
}

/** Draws many readings as the Explore page does, and compares that with a plot of every reading. */
export async function measureDrawing(
  page: BenchPage,
  { readings, repetitions }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  await page.evaluate(`bench.prepare(${readings})`);
  const drawn: Drawing[] = [];
  const all: Drawing[] = [];
  for (let turn = 0; turn <= repetitions; turn++) {
    const reduced = await drawOnce(page, 'draw');
    const baseline = await drawOnce(page, 'drawAll');
    const which = turn === 0 ? 'warm-up' : `${turn} of ${repetitions}`;
    print(`drawing, ${which}: ${reduced.wallMs.toFixed(0)} ms`);
    if (turn === 0) continue;
    drawn.push(reduced);
    all.push(baseline);
  }
  return findingsOf(drawn, all, readings);
}

async function drawOnce(page: BenchPage, name: 'draw' | 'drawAll'): Promise<Drawing> {
  await page.collectGarbage();
  await page.evaluate('bench.takeLongTasks()');
  const before = await page.taskCpuMs();
  const wallMs = await page.evaluate<number>(`bench.${name}()`);
  const cpuMs = (await page.taskCpuMs()) - before;
  const longTasksMs = await page.evaluate<number[]>('bench.takeLongTasks()');
  return { wallMs, cpuMs, longTasksMs };
}

function findingsOf(drawn: Drawing[], all: Drawing[], readings: number): Finding[] {
  const what = `${readings.toLocaleString('en')} readings drawn`;
  const wall = (of: Drawing[]) => of.map(({ wallMs }) => wallMs);
  const cpu = (of: Drawing[]) => of.map(({ cpuMs }) => cpuMs);
  const longest = (of: Drawing[]) => of.map(({ longTasksMs }) => Math.max(0, ...longTasksMs));
  const ratio = (one: number[], other: number[]) => (median(one) / median(other)).toFixed(2);
  const shown = (of: number[]) => (Math.max(...of) === 0 ? '< 50' : spread(of, 0));
  return [
    {
      what: `${what}, ms of CPU of the main thread`,
      measured: spread(cpu(drawn), 1),
      baseline: spread(cpu(all), 1),
      ratio: ratio(cpu(drawn), cpu(all)),
      target: `≤ ${targetMs}`,
      reached: median(cpu(drawn)) <= targetMs,
    },
    {
      what: `${what}, ms by wall clock until the frame is drawn`,
      measured: spread(wall(drawn), 0),
      baseline: spread(wall(all), 0),
      ratio: ratio(wall(drawn), wall(all)),
      target: `≤ ${targetMs}`,
      reached: median(wall(drawn)) <= targetMs,
    },
    {
      what: `${what}, longest task, ms by wall clock`,
      measured: shown(longest(drawn)),
      baseline: shown(longest(all)),
      ratio: '',
      target: `≤ ${targetTaskMs}`,
      reached: Math.max(...longest(drawn)) <= targetTaskMs,
    },
  ];
}

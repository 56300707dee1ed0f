import { median, spread } from '../statistics.ts';
import type { Finding, Print } from '../report.ts';
import type { BenchPage } from './bench-page.ts';
import type { ConsoleOptions } from './options.ts';
import type { TaskTimes } from './task-times.ts';

/** Milliseconds for a million readings, and for the longest task of them. */
const targetMs = 200;
const targetTaskMs = 50;

/** Draws many readings as the Explore page does, each time in a new page. */
export async function measureDrawing(
  page: BenchPage,
  { readings, repetitions }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  const drawings: TaskTimes[] = [];
  for (let turn = 1; turn <= repetitions; turn++) {
    await page.reload();
    await page.evaluate(`bench.prepare(${readings})`);
    const drawing = await page.measure('bench.draw()');
    drawings.push(drawing);
    print(`drawing ${turn} of ${repetitions}: ${drawing.cpuMs.toFixed(0)} ms of CPU`);
  }
  const what = `${readings.toLocaleString('en')} readings drawn, the first time`;
  return [
    timeFinding(
      `${what}, ms of CPU`,
      targetMs,
      drawings.map(({ cpuMs }) => cpuMs),
    ),
    timeFinding(
      `${what}, longest task, ms of CPU`,
      targetTaskMs,
      drawings.map(({ longestMs }) => longestMs),
    ),
  ];
}

function timeFinding(what: string, target: number, timesMs: readonly number[]): Finding {
  return {
    what,
    ...{ measured: spread(timesMs, 0), baseline: '', ratio: '', target: `≤ ${target}` },
    reached: median(timesMs) <= target,
  };
}

import { median, spread } from '../statistics.ts';
import type { Finding, Print } from '../report.ts';
import type { BenchPage } from './bench-page.ts';
import type { ConsoleOptions } from './options.ts';

/** Milliseconds for a million readings, and for the longest task of them. */
const targetMs = 200;
const targetTaskMs = 50;

interface Drawing {
  /** Until the frame after the drawing. */
  wallMs: number;
  /** CPU of the main thread. */
  cpuMs: number;
  /** CPU of its longest task. */
  longestMs: number;
}

/** Drawings in a new page, the same page again, and the baseline in a new page. */
interface Drawings {
  first: Drawing[];
  again: Drawing[];
  all: Drawing[];
}

/** Draws many readings as the Explore page does, and compares that with a plot of every reading. */
export async function measureDrawing(
  page: BenchPage,
  { readings, repetitions }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  const drawings: Drawings = { first: [], again: [], all: [] };
  for (let turn = 1; turn <= repetitions; turn++) {
    await page.reload();
    await page.evaluate(`bench.prepare(${readings})`);
    drawings.first.push(await page.measure('bench.draw()'));
    drawings.again.push(await page.measure('bench.draw()'));
    await page.reload();
    await page.evaluate(`bench.prepare(${readings})`);
    drawings.all.push(await page.measure('bench.drawAll()'));
    const [first, again, all] = [drawings.first, drawings.again, drawings.all].map((of) =>
      (of.at(-1)?.wallMs ?? NaN).toFixed(0),
    );
    print(
      `drawing ${turn} of ${repetitions}: ${first} ms, again ${again} ms; every reading ${all} ms`,
    );
  }
  return findingsOf(drawings, readings);
}

function findingsOf({ first, again, all }: Drawings, readings: number): Finding[] {
  const what = `${readings.toLocaleString('en')} readings drawn`;
  return [
    timeFinding(`${what}, the first time, ms of CPU`, 'cpuMs', first, all),
    timeFinding(`${what}, the first time, ms by wall clock`, 'wallMs', first, all),
    timeFinding(`${what}, again, ms of CPU`, 'cpuMs', again, all),
    timeFinding(
      `${what}, the first time, longest task, ms of CPU`,
      'longestMs',
      first,
      all,
      targetTaskMs,
    ),
  ];
}

function timeFinding(
  what: string,
  name: keyof Drawing,
  measured: readonly Drawing[],
  baseline: readonly Drawing[],
  target = targetMs,
): Finding {
  const [own, all] = [measured, baseline].map((of) => of.map((one) => one[name])) as [
    number[],
    number[],
  ];
  return {
    what,
    measured: spread(own, 0),
    baseline: spread(all, 0),
    ratio: (median(own) / median(all)).toFixed(2),
    target: `≤ ${target}`,
    reached: median(own) <= target,
  };
}

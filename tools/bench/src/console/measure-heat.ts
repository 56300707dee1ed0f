import { median, spread } from '../statistics.ts';
import type { Finding, Print } from '../report.ts';
import type { BenchPage } from './bench-page.ts';
import type { ConsoleOptions } from './options.ts';

/** Milliseconds to draw a complete heat map again. */
const targetMs = 8;
/** Drawings before the measured ones: the page compiles its code. */
const warmUp = 20;
const drawings = 30;

/** Draws a full heat map as the Heat page does: both pictures, the marks, and what the browser paints. */
export async function measureHeat(
  page: BenchPage,
  { repetitions }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  const timesMs: number[] = [];
  for (let turn = 1; turn <= repetitions; turn++) {
    await page.reload();
    await page.evaluate('bench.prepareHeat()');
    await page.evaluate(drawn(warmUp));
    const { cpuMs } = await page.measure(drawn(drawings));
    timesMs.push(cpuMs / drawings);
  }
  print(`heat map: ${spread(timesMs, 1)} ms`);
  const finding = {
    what: 'heat map drawn again, 1,500 keys, all minutes, ms of CPU of the main thread',
    ...{ measured: spread(timesMs, 1), baseline: '', ratio: '', target: `< ${targetMs}` },
    reached: median(timesMs) < targetMs,
  };
  return [finding];
}

/** An expression of the page. */
function drawn(times: number): string {
  return `(async () => { for (let turn = 0; turn < ${times}; turn++) await bench.drawHeat(); })()`;
}

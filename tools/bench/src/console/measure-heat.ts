import { median, spread } from '../statistics.ts';
import type { Finding, Print } from '../report.ts';
import type { BenchPage } from './bench-page.ts';
import type { ConsoleOptions } from './options.ts';

/** Milliseconds to draw a complete heat map again. */
const targetMs = 8;
const rows = 1500;
/** Drawings before the measured ones: the page compiles its code. */
const warmUp = 20;
const drawings = 30;

/** Maps with a value in each cell, as no table has; widths are in CSS pixels. */
const maps = [
  { what: '1,500 × 900 cells', resolution: 'minute', columns: 900, width: 1000 },
  { what: '1,500 keys, all seconds', resolution: 'second', columns: 600, width: 1000 },
  { what: '1,500 keys, all minutes', resolution: 'minute', columns: 1440, width: 1000 },
  { what: '1,500 keys, all minutes on a phone', resolution: 'minute', columns: 1440, width: 330 },
] as const;

/** Draws full heat maps as the Heat page does: both pictures, the marks, and what the browser paints. */
export async function measureHeat(
  page: BenchPage,
  { repetitions }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  const findings: Finding[] = [];
  for (const { what, ...map } of maps) {
    const timesMs: number[] = [];
    for (let turn = 1; turn <= repetitions; turn++) {
      await page.reload();
      await page.evaluate(`bench.prepareHeat(${JSON.stringify({ rows, ...map })})`);
      await page.evaluate(drawn(warmUp));
      const { cpuMs } = await page.measure(drawn(drawings));
      timesMs.push(cpuMs / drawings);
    }
    print(`heat map, ${what}: ${spread(timesMs, 1)} ms`);
    findings.push({
      what: `heat map drawn again, ${what}, ms of CPU of the main thread`,
      ...{ measured: spread(timesMs, 1), baseline: '', ratio: '', target: `< ${targetMs}` },
      reached: median(timesMs) < targetMs,
    });
  }
  return findings;
}

/** An expression of the page. */
function drawn(times: number): string {
  return `(async () => { for (let turn = 0; turn < ${times}; turn++) await bench.drawHeat(); return 0; })()`;
}

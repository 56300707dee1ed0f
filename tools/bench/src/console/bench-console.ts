import { BenchPage } from './bench-page.ts';
import { measureDrawing } from './measure-drawing.ts';
import type { Findings, Print } from '../report.ts';
import type { ConsoleOptions } from './options.ts';

export async function benchConsole(options: ConsoleOptions, print: Print): Promise<Findings> {
  const page = await BenchPage.open();
  try {
    const findings = options.only.includes('drawing')
      ? await measureDrawing(page, options, print)
      : [];
    return { how: describe(options, page.version), findings };
  } finally {
    await page.close();
  }
}

function describe({ readings, repetitions }: ConsoleOptions, version: string): string {
  return (
    `Chromium ${version} without a GPU, a plot of 1,200 pixels, ${readings.toLocaleString('en')} readings of one series, ` +
    `${repetitions} drawings of each kind (median and extremes); the baseline is uPlot with every reading`
  );
}

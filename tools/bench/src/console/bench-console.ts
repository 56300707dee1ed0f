import { BenchPage } from './bench-page.ts';
import { ConsoleStack } from './console-stack.ts';
import { measureDrawing } from './measure-drawing.ts';
import { measureHeat } from './measure-heat.ts';
import { measureLatency } from './measure-latency.ts';
import { measureMemory } from './measure-memory.ts';
import { measurePage } from './measure-page.ts';
import { openChromium } from './open-chromium.ts';
import type { Finding, Findings, Print } from '../report.ts';
import type { ConsoleOptions, ConsolePart } from './options.ts';

/** What the whole stack is needed for. */
const ofTheStack = {
  page: measurePage,
  latency: measureLatency,
  memory: measureMemory,
} satisfies Partial<Record<ConsolePart, unknown>>;

/** What the page apps/console/web/bench is needed for: docs/console.md quotes both. */
const ofThePage = { drawing: measureDrawing, heat: measureHeat } satisfies Partial<
  Record<ConsolePart, unknown>
>;

export async function benchConsole(options: ConsoleOptions, print: Print): Promise<Findings> {
  const browser = await openChromium();
  const version = browser.version();
  await browser.close();
  const findings = [
    ...(await measureInPage(options, print)),
    ...(await measureStack(options, print)),
  ];
  return { how: describe(options, version), findings };
}

async function measureInPage(options: ConsoleOptions, print: Print): Promise<Finding[]> {
  const measures = Object.entries(ofThePage).filter(([part]) => isChosen(options, part));
  if (measures.length === 0) return [];
  const page = await BenchPage.open();
  try {
    const findings: Finding[] = [];
    for (const [, measure] of measures) findings.push(...(await measure(page, options, print)));
    return findings;
  } finally {
    await page.close();
  }
}

async function measureStack(options: ConsoleOptions, print: Print): Promise<Finding[]> {
  const measures = Object.entries(ofTheStack).filter(([part]) => isChosen(options, part));
  if (measures.length === 0) return [];
  print('starting all services with simulated homes');
  const stack = await ConsoleStack.start({
    // Readings do not wait for others: what remains is the way of a reading.
    LINGER_MS: '0',
    // As the chart has it for ingestion. By default the young generation grows with the memory of the machine.
    NODE_OPTIONS: '--max-old-space-size=160 --max-semi-space-size=8',
  });
  try {
    const findings: Finding[] = [];
    for (const [, measure] of measures) findings.push(...(await measure(stack, options, print)));
    return findings;
  } finally {
    await stack.close();
  }
}

function isChosen({ only }: ConsoleOptions, part: string): boolean {
  return (only as readonly string[]).includes(part);
}

function describe({ readings, repetitions, samples, minutes }: ConsoleOptions, version: string) {
  return (
    `Chromium ${version} without a GPU; a plot of 1,200 pixels, ${readings.toLocaleString('en')} readings of one ` +
    `series, ${repetitions} repetitions (median and extremes); ` +
    `publish to pixel: ${samples} readings with LINGER_MS=0; memory: ${minutes} minutes, after a garbage collection, ` +
    'and the baseline is the third before the last'
  );
}

import { gzipSync } from 'node:zlib';
import { median, spread } from '../statistics.ts';
import { taskTimes } from './task-times.ts';
import type { Page } from '@playwright/test';
import type { Finding, Print } from '../report.ts';
import type { ConsoleOptions } from './options.ts';
import type { ConsoleStack } from './console-stack.ts';

/** Bytes of the first page after gzip. */
const targetBytes = 120_000;
/** Milliseconds of CPU until the first page can be used. */
const targetMs = 1000;
/** Milliseconds of the longest task: longer ones are felt (web.dev, "Optimize long tasks"). */
const targetTaskMs = 50;

interface FirstPage {
  /** After gzip, without responses of the services. */
  bytes: number;
  /** CPU of the page's main thread, in milliseconds. */
  cpuMs: number;
  /** CPU of all threads of the page's process. */
  processMs: number;
  longestMs: number;
}

/**
 * The House page in a new browser context: until the devices of the first place have their values and a key has opened
 * the list of keys.
 */
export async function measurePage(
  stack: ConsoleStack,
  { repetitions }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  const pages: FirstPage[] = [];
  for (let turn = 1; turn <= repetitions; turn++) {
    const one = await openFirstPage(stack);
    pages.push(one);
    print(`first page ${turn} of ${repetitions}: ${one.cpuMs.toFixed(0)} ms of CPU`);
  }
  const [bytes, cpuMs, processMs, longestMs] = (
    ['bytes', 'cpuMs', 'processMs', 'longestMs'] as const
  ).map((name) => pages.map((page) => page[name])) as [number[], number[], number[], number[]];
  const plain = { baseline: '', ratio: '' };
  return [
    {
      what: 'first page, bytes after gzip',
      ...{ measured: spread(bytes, 0), ...plain, target: `≤ ${targetBytes}` },
      reached: median(bytes) <= targetBytes,
    },
    {
      what: 'first page until it can be used, ms of CPU of the main thread',
      ...{ measured: spread(cpuMs, 0), ...plain, target: `≤ ${targetMs}` },
      reached: median(cpuMs) <= targetMs,
    },
    {
      what: 'the same, all threads of the process',
      ...{ measured: spread(processMs, 0), ...plain, target: `≤ ${targetMs}` },
      reached: median(processMs) <= targetMs,
    },
    {
      what: 'the same, longest task, ms of CPU',
      ...{ measured: spread(longestMs, 0), ...plain, target: `≤ ${targetTaskMs}` },
      reached: median(longestMs) <= targetTaskMs,
    },
  ];
}

async function openFirstPage(stack: ConsoleStack): Promise<FirstPage> {
  const page = await stack.newPage();
  const sizes: Promise<number>[] = [];
  page.on('response', (response) => {
    if (new URL(response.url()).pathname.startsWith('/api/')) return;
    sizes.push(response.body().then((body) => gzipSync(body).length));
  });
  await stack.browser.startTracing(page, { categories: ['toplevel', '__metadata'] });
  await page.goto('/house');
  await untilUsable(page);
  const times = taskTimes(await stack.browser.stopTracing());
  const bytes = (await Promise.all(sizes)).reduce((sum, one) => sum + one, 0);
  await page.context().close();
  return { ...times, bytes };
}

async function untilUsable(page: Page): Promise<void> {
  await page.locator('.device-row .value').first().waitFor();
  await page.keyboard.press('?');
  await page.getByRole('dialog').waitFor();
}

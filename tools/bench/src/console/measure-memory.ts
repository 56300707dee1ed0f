import { setTimeout as sleep } from 'node:timers/promises';
import { median } from '../statistics.ts';
import type { CDPSession, Page } from '@playwright/test';
import type { Finding, Print } from '../report.ts';
import type { ConsoleStack } from './console-stack.ts';
import type { ConsoleOptions } from './options.ts';

const minuteMs = 60_000;
const megabyte = 1_000_000;
/** The last third of the time in relation to the second third: more than this is growth, not noise. */
const targetGrowth = 1.1;

/** Pages that stay open for long: on a wall, or on the screen of the person on call. */
const paths = ['/house', '/heat', '/health', '/explore?device=climate-tanaka-living'];

interface WatchedPage {
  path: string;
  session: CDPSession;
  /** Bytes of JavaScript objects, their buffers and the document after a collection, once a minute. */
  heap: number[];
  /** Nodes of the document, once a minute. */
  nodes: number[];
}

/** Leaves pages open, and reads their memory once a minute after a garbage collection. */
export async function measureMemory(
  stack: ConsoleStack,
  { minutes }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  const pages = await Promise.all(paths.map((path) => watch(stack, path)));
  const server: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(minuteMs);
    for (const page of pages) await sample(page);
    server.push(await residentBytes(stack.urls.consoleMetricsUrl));
    const heaps = pages.map(
      ({ path, heap }) => `${path.split('?')[0]} ${inMegabytes(heap.at(-1))}`,
    );
    const now = `${heaps.join(', ')}, server ${inMegabytes(server.at(-1))} MB`;
    print(`memory, minute ${minute} of ${minutes}: ${now}`);
  }
  return [
    ...pages.flatMap(({ path, heap, nodes }) => {
      const name = path.split('?')[0];
      return [
        bounded(compare(`${name}, heap of the page, MB`, heap.map(megabytes), 1)),
        compare(`${name}, nodes of the page`, nodes, 0),
      ];
    }),
    bounded(compare('server of the console, RSS, MB', server.map(megabytes), 1)),
  ];
}

async function watch(stack: ConsoleStack, path: string): Promise<WatchedPage> {
  const page: Page = await stack.newPage();
  await page.goto(path);
  await page.locator('main h1').waitFor();
  const session = await page.context().newCDPSession(page);
  return { path, session, heap: [], nodes: [] };
}

async function sample({ session, heap, nodes }: WatchedPage): Promise<void> {
  await session.send('HeapProfiler.collectGarbage');
  const usage = await session.send('Runtime.getHeapUsage');
  heap.push(usage.usedSize + usage.embedderHeapUsedSize + usage.backingStorageSize);
  nodes.push((await session.send('Memory.getDOMCounters')).nodes);
}

/** @throws Error without the metric */
async function residentBytes(metricsUrl: string): Promise<number> {
  const text = await (await fetch(`${metricsUrl}/metrics`)).text();
  const bytes = /^process_resident_memory_bytes(?:\{[^}]*\})? (\S+)$/m.exec(text)?.[1];
  if (bytes === undefined) throw new Error('the console reports no process_resident_memory_bytes');
  return Number(bytes);
}

/** The last third beside the second third: in the first one caches and histories still fill. */
function compare(what: string, values: readonly number[], digits: number): Finding {
  const third = Math.max(1, Math.floor(values.length / 3));
  const last = median(values.slice(-third));
  const before = median(values.slice(-2 * third, values.length - third));
  return {
    what: `memory over ${values.length} minutes: ${what}`,
    measured: last.toFixed(digits),
    baseline: before.toFixed(digits),
    ratio: (last / before).toFixed(2),
    target: '',
  };
}

function bounded(finding: Finding): Finding {
  const reached = Number(finding.ratio) <= targetGrowth;
  return { ...finding, target: `≤ ${targetGrowth}`, reached };
}

function megabytes(bytes: number): number {
  return bytes / megabyte;
}

function inMegabytes(bytes = NaN): string {
  return megabytes(bytes).toFixed(1);
}

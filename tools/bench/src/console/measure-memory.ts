import { setTimeout as sleep } from 'node:timers/promises';
import { findFreePort } from '@engawa/embedded';
import { median } from '../statistics.ts';
import { DevTools } from '../dev-tools.ts';
import { openChromium } from './open-chromium.ts';
import type { Finding, Print } from '../report.ts';
import type { ConsoleStack } from './console-stack.ts';
import type { ConsoleOptions } from './options.ts';
import type { DevToolsPage } from '../dev-tools.ts';

const minuteMs = 60_000;
const megabyte = 1_000_000;
/** The last third of the time in relation to the second third: more than this is growth, not noise. */
const targetGrowth = 1.1;

/** Pages that stay open for long: on a wall, or on the screen of the person on call. */
const paths = ['/house', '/heat', '/health', '/explore?device=climate-tanaka-living'];

interface WatchedPage {
  path: string;
  page: DevToolsPage;
  /** Bytes of JavaScript objects, their buffers and the document after a collection, once a minute. */
  heap: number[];
  /** Nodes of the document, once a minute. */
  nodes: number[];
}

/** Leaves pages open, and reads their memory once a minute after a garbage collection. */
export async function measureMemory(
  stack: ConsoleStack,
  options: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  const port = await findFreePort();
  const browser = await openChromium([`--remote-debugging-port=${port}`]);
  const tools = await DevTools.connect(port);
  try {
    return await watchPages({ stack, tools, print }, options);
  } finally {
    tools.close();
    await browser.close();
  }
}

interface Watch {
  stack: ConsoleStack;
  tools: DevTools;
  print: Print;
}

async function watchPages(
  { stack, tools, print }: Watch,
  { minutes }: ConsoleOptions,
): Promise<Finding[]> {
  const { consoleUrl, consoleMetricsUrl } = stack.urls;
  const pages = await Promise.all(paths.map((path) => open(tools, consoleUrl, path)));
  const server: number[] = [];
  for (let minute = 1; minute <= minutes; minute++) {
    await sleep(minuteMs);
    for (const page of pages) await sample(page);
    server.push(await residentBytes(consoleMetricsUrl));
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

async function open(tools: DevTools, consoleUrl: string, path: string): Promise<WatchedPage> {
  const page = await tools.openPage(consoleUrl + path);
  await page.until(`document.querySelector('main h1') !== null`);
  // A hidden page requests nothing.
  await page.until(`document.visibilityState === 'visible'`);
  return { path, page, heap: [], nodes: [] };
}

async function sample({ page, heap, nodes }: WatchedPage): Promise<void> {
  await page.send('HeapProfiler.collectGarbage');
  const usage = await page.send('Runtime.getHeapUsage');
  const parts = ['usedSize', 'embedderHeapUsedSize', 'backingStorageSize'];
  heap.push(parts.reduce((sum, part) => sum + Number(usage[part]), 0));
  nodes.push(Number((await page.send('Memory.getDOMCounters'))['nodes']));
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

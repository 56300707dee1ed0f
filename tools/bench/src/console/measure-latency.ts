import { setTimeout as sleep } from 'node:timers/promises';
import { connectAsync } from 'mqtt';
import { quantile } from '../statistics.ts';
import { shownTimes } from './shown-times.ts';
import type { Page } from '@playwright/test';
import type { Finding, Print } from '../report.ts';
import type { ConsoleStack } from './console-stack.ts';
import type { ConsoleOptions } from './options.ts';
import type { Shown } from './shown-times.ts';

/** Milliseconds from the publish to the pixel, without LINGER_MS. */
const targetMs = 1000;
/** Milliseconds between two readings: not in step with frames or with any timer of the services. */
const intervalMs = 173;
const place = 'bench';
const device = 'bench-sensor';
const path = `/registry/v1/places/${place}/devices/${device}`;

/** Milliseconds from publishing a reading to the frame that shows it, while other devices send as well. */
export async function measureLatency(
  stack: ConsoleStack,
  { samples }: ConsoleOptions,
  print: Print,
): Promise<Finding[]> {
  await stack.put(`/registry/v1/devices/${device}`, {});
  await stack.put(`/registry/v1/places/${place}`, { name: place });
  await stack.put(path, {});
  const page = await stack.newPage();
  const client = await connectAsync(stack.urls.mqttUrl);
  const publish = (count: number) =>
    client.publishAsync(`engawa/${device}/readings`, JSON.stringify({ count }), { qos: 1 });
  const published: number[] = [];
  try {
    await publish(0);
    await page.goto(`/house?place=${place}`);
    await watchValue(page);
    // The first readings may fall between two subscriptions; they are not counted.
    const warmUp = 20;
    for (let count = 1; count <= samples + warmUp; count++) {
      published[count] = Date.now();
      await publish(count);
      await sleep(intervalMs);
      if (count % 100 === 0) print(`publish to pixel: ${count} of ${samples + warmUp} readings`);
    }
    await page.waitForFunction(`globalThis.shown.at(-1)?.count === ${samples + warmUp}`);
    const shown = await page.evaluate<Shown[]>('globalThis.shown');
    return findingsOf(shownTimes(published, shown).slice(warmUp));
  } finally {
    await client.endAsync();
    await page.context().close();
  }
}

/** Records when the frame with a new value was drawn: the task after the next animation frame. */
async function watchValue(page: Page): Promise<void> {
  await page.locator(`[data-device="${device}"] .value`).waitFor();
  await page.locator('.live-badge', { hasText: 'Live' }).waitFor();
  await page.evaluate(`{
    globalThis.shown = [];
    const row = document.querySelector('[data-device="${device}"]');
    const read = () => Number(row.querySelector('.value').textContent.replaceAll(/[^0-9]/g, ''));
    new MutationObserver(() => {
      const count = read();
      if (globalThis.shown.at(-1)?.count === count) return;
      const entry = { count, time: Infinity };
      globalThis.shown.push(entry);
      requestAnimationFrame(() => setTimeout(() => { entry.time = Date.now(); }));
    }).observe(row, { subtree: true, childList: true, characterData: true });
  }`);
}

function findingsOf(times: readonly number[]): Finding[] {
  const [p50, p99, most] = [quantile(times, 0.5), quantile(times, 0.99), Math.max(...times)];
  return [
    {
      what: `publish to pixel beyond LINGER_MS, p99 of ${times.length}, ms by wall clock`,
      ...{ measured: p99.toFixed(0), baseline: '', ratio: '', target: `< ${targetMs}` },
      reached: p99 < targetMs,
    },
    {
      what: 'the same, median; maximum',
      ...{ measured: `${p50.toFixed(0)}; ${most.toFixed(0)}`, baseline: '', ratio: '', target: '' },
    },
  ];
}

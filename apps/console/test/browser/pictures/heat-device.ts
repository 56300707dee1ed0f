import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from '@playwright/test';

/** The device whose key becomes hot. */
const device = 'gateway-sato';
/** A map with a minute of columns shows a beginning and a course. */
const seconds = 90;
/** A reading of 60 KB consumes 60 of the 1,000 write units that a partition takes in a second. */
const bytes = 60_000;
const fewest = 4;
const most = 15;

/** Sends more and more readings of one device, and opens the explanation of its key. */
export async function heatDevice(page: Page): Promise<void> {
  for (let second = 0; second < seconds; second += 1) {
    const began = Date.now();
    await publish(page, second);
    await sleep(Math.max(0, began + 1000 - Date.now()));
  }
  // Its load may be spread over more shards by then, each with a key that begins like this.
  const name = new RegExp(`^DEVICE#${device}`);
  const hot = page.locator('.heat-now-hot').getByRole('button', { name }).first();
  for (let second = seconds; (await hot.count()) === 0; second += 1) await publish(page, second);
  await hot.click();
  await page.getByRole('region', { name: 'What is this key?' }).waitFor();
}

async function publish(page: Page, second: number): Promise<void> {
  const share = Math.sin((Math.min(second, seconds) / seconds) * (Math.PI / 2));
  const data = Array.from({ length: Math.round(fewest + share * (most - fewest)) }, (_, at) => ({
    device,
    time: new Date(Date.now() - at).toISOString(),
    log: `${second} ${at} `.padEnd(bytes, '-'),
  }));
  const response = await page.request.post('/api/ingestion/v1/readings', { data });
  if (!response.ok()) throw new Error(`${response.status()}: ${await response.text()}`);
}

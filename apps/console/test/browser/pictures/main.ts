/**
 * `npm run console:pictures` draws docs/console/*.png: each page in English, light and 1280 × 800; the House page also
 * in Japanese, dark, and on a phone. `npm run console:pictures -- house` draws only the pictures whose names begin with
 * `house`. With CONSOLE_URL and MQTT_URL, the pictures are of a stack that is running already.
 */
import { mkdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { findChromium, startLocalStack, workspace } from '@engawa/embedded';
import { OperatorError } from '@engawa/errors';
import { chromium } from '@playwright/test';
import { pictures } from './pictures.ts';
import { prepareHouse } from './prepare-house.ts';
import type { Browser, Page } from '@playwright/test';
import type { Picture } from './pictures.ts';
import type { HouseUrls } from './prepare-house.ts';

const executablePath = findChromium();
const folder = join(workspace, 'docs/console');
/** A picture in the repository is small enough to be part of each clone. In bytes. */
const maxBytes = 150_000;
/** The simulated homes have to have published their history, on a busy machine too. In milliseconds. */
const timeoutMs = 300_000;
/** Milliseconds between two looks at a page. */
const pollIntervalMs = 200;

async function run(): Promise<void> {
  const [begin = ''] = process.argv.slice(2);
  const chosen = pictures.filter(({ name }) => name.startsWith(begin));
  if (chosen.length === 0) {
    const names = pictures.map(({ name }) => name).join(', ');
    throw new OperatorError(`no picture begins with "${begin}"; there are ${names}`);
  }
  if (executablePath === undefined) {
    throw new OperatorError('Chromium is not installed (apt-get install chromium)');
  }
  const { CONSOLE_URL: consoleUrl, MQTT_URL: mqttUrl } = process.env;
  if (consoleUrl && mqttUrl) {
    await drawAll({ consoleUrl, mqttUrl }, chosen);
    return;
  }
  const stack = await startLocalStack({ simulator: true });
  await drawAll(stack, chosen).finally(() => stack.close());
}

async function drawAll(urls: HouseUrls, chosen: readonly Picture[]): Promise<void> {
  mkdirSync(folder, { recursive: true });
  const browser = await chromium.launch({
    ...(executablePath !== undefined && { executablePath }),
    args: ['--no-sandbox', '--hide-scrollbars', '--font-render-hinting=none'],
  });
  try {
    await prepareHouse(urls, timeoutMs);
    for (const picture of chosen) await drawOne(browser, urls.consoleUrl, picture);
  } finally {
    await browser.close();
  }
}

async function drawOne(browser: Browser, url: string, picture: Picture): Promise<void> {
  const { name, path, prepare, ...look } = picture;
  const context = await browser.newContext({
    baseURL: url,
    timezoneId: 'Asia/Tokyo',
    reducedMotion: 'reduce',
    ...look,
  });
  context.setDefaultTimeout(timeoutMs);
  const page = await context.newPage();
  await page.goto(path);
  await page.locator('main h1').waitFor();
  await untilLoaded(page, look.viewport.height);
  await prepare?.(page);
  const file = join(folder, `${name}.png`);
  await page.screenshot({ path: file, animations: 'disabled', caret: 'hide' });
  await context.close();
  const { size } = statSync(file);
  const tooLarge = size > maxBytes ? `, more than ${maxBytes / 1000} kB` : '';
  process.stdout.write(`${name}: ${Math.round(size / 1000)} kB${tooLarge}\n`);
  if (size > maxBytes) process.exitCode = 1;
}

/** Nothing in view is being loaded; the rest loads when it is scrolled into view. @throws Error if it takes long */
async function untilLoaded(page: Page, height: number): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  while (await isLoading(page, height)) {
    if (Date.now() > deadline) throw new Error(`${page.url()} is still loading`);
    await sleep(pollIntervalMs);
  }
}

async function isLoading(page: Page, height: number): Promise<boolean> {
  for (const skeleton of await page.locator('.skeleton').all()) {
    const box = await skeleton.boundingBox({ timeout: pollIntervalMs }).catch(() => null);
    if (box !== null && box.y < height && box.y + box.height > 0) return true;
  }
  return false;
}

try {
  await run();
} catch (error) {
  if (!(error instanceof OperatorError)) throw error;
  process.stderr.write(`engawa: ${error.message}\n`);
  process.exitCode = 1;
}

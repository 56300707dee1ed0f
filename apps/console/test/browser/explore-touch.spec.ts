import { expect, test } from '@playwright/test';
import { openNumbers, seedDevice } from './explore-data.ts';
import { changedRange, lengthOf, openChart, shownRange } from './explore-range.ts';
import type { Page } from '@playwright/test';

interface Finger {
  x: number;
  y: number;
}

test.use({ viewport: { width: 360, height: 640 }, hasTouch: true, isMobile: true });

test('one finger pans sideways', async ({ page, request }) => {
  const { plot, start } = await openChart(page, await seedDevice(request));
  const y = plot.y + 80;
  await swipe(page, [{ x: plot.x + 40, y }], [{ x: plot.x + 160, y: y + 10 }]);
  const range = await changedRange(page, start);
  expect(lengthOf(range)).toBe(lengthOf(start));
  const moved = (start.from - range.from) / lengthOf(start);
  expect(moved).toBeCloseTo(120 / plot.width, 1);
  await page.goBack();
  expect(await shownRange(page)).toEqual(start);
});

test('one finger scrolls the page up and down, over the chart too', async ({ page, request }) => {
  const { plot, start, requests } = await openChart(page, await seedDevice(request));
  const before = Number(await page.evaluate('scrollY'));
  const x = plot.x + plot.width / 2;
  await swipe(page, [{ x, y: plot.y + 40 }], [{ x: x + 6, y: plot.y + 160 }]);
  await expect.poll(() => page.evaluate('scrollY')).toBeLessThan(before);
  expect(await shownRange(page)).toEqual(start);
  expect(requests).toEqual([]);
});

test('two fingers zoom around the point between them', async ({ page, request }) => {
  const { plot, start } = await openChart(page, await seedDevice(request));
  const y = plot.y + 80;
  const [left, right] = [plot.x + plot.width * 0.4, plot.x + plot.width * 0.6];
  const apart = plot.width * 0.2;
  const began = [left, right].map((x) => ({ x, y }));
  const ended = [left - apart / 2, right + apart / 2].map((x) => ({ x, y }));
  await swipe(page, began, ended);
  const range = await changedRange(page, start);
  expect(lengthOf(range) / lengthOf(start)).toBeCloseTo(0.5, 1);
  const middles = [start, range].map(({ from, to }) => (from + to) / 2);
  const shifted = Math.abs((middles[0] ?? 0) - (middles[1] ?? 0)) / lengthOf(start);
  expect(shifted).toBeLessThan(0.02);
  // The page itself is not zoomed.
  expect(await page.evaluate('visualViewport.scale')).toBe(1);
});

test('two fingers above each other zoom too, and do not scroll', async ({ page, request }) => {
  const { plot, start } = await openChart(page, await seedDevice(request));
  const x = plot.x + plot.width / 2;
  const before = Number(await page.evaluate('scrollY'));
  const at = (y: number): Finger => ({ x, y: plot.y + y });
  await swipe(page, [at(70), at(90)], [at(40), at(120)]);
  const range = await changedRange(page, start);
  expect(lengthOf(range) / lengthOf(start)).toBeCloseTo(0.25, 1);
  expect(await page.evaluate('scrollY')).toBe(before);
});

test('a tap reads the exact number', async ({ page, request }) => {
  const { plot } = await openChart(page, await seedDevice(request));
  await page.touchscreen.tap(plot.x + plot.width / 2, plot.y + 60);
  const text = await page.locator('.chart-reading').textContent();
  const rows = await openNumbers(page, 'Temperature');
  const middle = rows.length / 2;
  const near = rows.slice(middle - 2, middle + 2);
  const texts = near.map(([, value, low, high]) => `${value} \u00b0C (${low} to ${high})`);
  expect(texts).toContain(text);
  await expect(page.locator('.chart [role=status]')).toContainText(String(text));
});

/** Puts fingers down, moves them in ten steps and lifts them, as a touch screen does. */
async function swipe(page: Page, from: readonly Finger[], to: readonly Finger[]): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const send = (type: 'touchStart' | 'touchMove' | 'touchEnd', fingers: readonly Finger[]) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: fingers.map((finger, id) => ({ ...finger, id })),
    });
  await send('touchStart', from);
  const steps = 10;
  for (let step = 1; step <= steps; step += 1) {
    const part = step / steps;
    const fingers = from.map((finger, index) => ({
      x: finger.x + ((to[index]?.x ?? 0) - finger.x) * part,
      y: finger.y + ((to[index]?.y ?? 0) - finger.y) * part,
    }));
    await send('touchMove', fingers);
  }
  await send('touchEnd', []);
  await session.detach();
}

import { expect, test } from '@playwright/test';
import { seedDevice } from './explore-data.ts';
import { changedRange, iso, lengthOf, openChart, shownRange } from './explore-range.ts';
import type { Page } from '@playwright/test';
import type { ShownRange } from './explore-range.ts';

test('Ctrl and the wheel zoom around the cursor, with one request for several steps', async ({
  page,
  request,
}) => {
  const { plot, start, requests } = await openChart(page, await seedDevice(request));
  await page.mouse.move(plot.x + plot.width * 0.25, plot.y + 80);
  await page.keyboard.down('Control');
  for (let step = 0; step < 6; step += 1) await page.mouse.wheel(0, -120);
  await page.keyboard.up('Control');
  const range = await changedRange(page, start);
  expect(lengthOf(range) / lengthOf(start)).toBeCloseTo(Math.exp(-6 * 0.3), 2);
  // The time under the cursor stays, but for a pixel.
  const pixelMs = lengthOf(start) / plot.width;
  expect(Math.abs(timeAt(range, 0.25) - timeAt(start, 0.25))).toBeLessThan(2 * pixelMs);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await expect(page.locator('.chart-detail')).toHaveText('Average per 1 min');
  expect(requests.length).toBe(1);
});

test('Shift and the wheel, and a horizontal wheel, pan; a vertical wheel scrolls the page', async ({
  page,
  request,
}) => {
  await page.setViewportSize({ width: 1280, height: 500 });
  const { plot, start, requests } = await openChart(page, await seedDevice(request));
  await page.mouse.move(plot.x + plot.width / 2, plot.y + 80);
  await page.mouse.wheel(-plot.width / 4, 0);
  const panned = await changedRange(page, start);
  expectNear(panned.from, start.from - lengthOf(start) / 4, lengthOf(start) / plot.width);
  expect(lengthOf(panned)).toBe(lengthOf(start));
  await page.keyboard.down('Shift');
  await page.mouse.wheel(0, plot.width / 4);
  await page.keyboard.up('Shift');
  const returned = await changedRange(page, panned);
  expectNear(returned.from, start.from, (2 * lengthOf(start)) / plot.width);
  await page.mouse.wheel(0, 60);
  await expect.poll(() => page.evaluate('scrollY')).toBeGreaterThan(0);
  expect(await shownRange(page)).toEqual(returned);
  await expect.poll(() => requests.length).toBe(2);
});

for (const [name, button, key] of [
  ['Shift', 'left', 'Shift'],
  ['the middle button', 'middle', undefined],
] as const) {
  test(`a drag with ${name} pans: the points move at once, the data follows`, async ({
    page,
    request,
  }) => {
    const { plot, start, requests } = await openChart(page, await seedDevice(request));
    const before = await drawnPixels(page);
    const entries = await historyLength(page);
    if (key !== undefined) await page.keyboard.down(key);
    await page.mouse.move(plot.x + plot.width * 0.3, plot.y + 80);
    await page.mouse.down({ button });
    await page.mouse.move(plot.x + plot.width * 0.8, plot.y + 80, { steps: 10 });
    await expect.poll(() => drawnPixels(page)).not.toBe(before);
    await page.mouse.up({ button });
    if (key !== undefined) await page.keyboard.up(key);
    const range = await changedRange(page, start);
    expectNear(range.from, start.from - lengthOf(start) / 2, lengthOf(start) / plot.width);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    expect(await shownRange(page)).toEqual(range);
    expect(new URL(requests.at(-1) ?? '').searchParams.get('from')).toBe(iso(range.from));
    expect(await historyLength(page)).toBe(entries + 1);
    await page.goBack();
    expect(await shownRange(page)).toEqual(start);
  });
}

test('a movement with pauses is one entry of the history, and aborts older requests', async ({
  page,
  request,
}) => {
  const { plot, start, requests } = await openChart(page, await seedDevice(request));
  const aborted: string[] = [];
  page.on('requestfailed', (one) => aborted.push(one.url()));
  let release = (): void => undefined;
  const released = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/aggregates?*', async (route) => {
    await released;
    await route.continue().catch(() => undefined); // aborted by the page
  });
  const entries = await historyLength(page);
  await page.keyboard.down('Shift');
  await page.mouse.move(plot.x + plot.width * 0.2, plot.y + 80);
  await page.mouse.down();
  let last = start;
  for (const part of [0.4, 0.6, 0.8]) {
    await page.mouse.move(plot.x + plot.width * part, plot.y + 80, { steps: 4 });
    last = await changedRange(page, last);
  }
  await page.mouse.up();
  await page.keyboard.up('Shift');
  await expect.poll(() => requests.length).toBe(3);
  await expect.poll(() => aborted).toEqual(requests.slice(0, 2));
  release();
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  expect(requests.length).toBe(3);
  expect(await historyLength(page)).toBe(entries + 1);
  expectNear(last.from, start.from - lengthOf(start) * 0.6, lengthOf(start) / plot.width);
});

test('a double click goes back one step, and keeps other choices', async ({ page, request }) => {
  const { plot, start } = await openChart(page, await seedDevice(request));
  const pan = async (from: ShownRange): Promise<ShownRange> => {
    await page.keyboard.press('[');
    return changedRange(page, from);
  };
  const first = await pan(start);
  await pan(first);
  await page.getByRole('combobox', { name: 'Value' }).selectOption('Maximum');
  // Both clicks have to meet the same chart: the choice and each step draw another.
  const doubleClick = async (): Promise<void> => {
    await expect(page.locator('.chart-detail')).toHaveText(/^Maximum/);
    await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
    await page.mouse.dblclick(plot.x + plot.width / 2, plot.y + 60);
  };
  await doubleClick();
  await expect.poll(() => shownRange(page)).toEqual(first);
  await doubleClick();
  await expect.poll(() => shownRange(page)).toEqual(start);
  // Without a step before it, the range becomes twice as long.
  await doubleClick();
  await expect.poll(async () => lengthOf(await shownRange(page))).toBe(2 * lengthOf(start));
  await expect(page.locator('.chart-detail')).toHaveText(/^Maximum/);
});

test('a movement into a time without values can be taken back', async ({ page, request }) => {
  const { plot, start } = await openChart(page, await seedDevice(request));
  await page.mouse.move(plot.x + plot.width / 2, plot.y + 80);
  await page.mouse.wheel(-plot.width * 3, 0);
  await changedRange(page, start);
  await expect(page.getByText('No values in this time')).toBeVisible();
  await page.mouse.wheel(plot.width * 3, 0);
  await expect(page.getByText('No values in this time')).toHaveCount(0);
  await expect(page.locator('.chart canvas')).toHaveCount(1);
});

function historyLength(page: Page): Promise<number> {
  return page.evaluate<number>('history.length');
}

/** The picture of the chart, to be compared. */
function drawnPixels(page: Page): Promise<string> {
  return page.evaluate<string>("document.querySelector('.chart canvas').toDataURL()");
}

function expectNear(value: number, expected: number, tolerance: number): void {
  expect(Math.abs(value - expected)).toBeLessThanOrEqual(tolerance + 1);
}

function timeAt({ from, to }: ShownRange, part: number): number {
  return from + (to - from) * part;
}

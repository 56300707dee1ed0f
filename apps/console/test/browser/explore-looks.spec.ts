import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import { seedDevice } from './explore-data.ts';
import { variants } from './variants.ts';
import type { Page } from '@playwright/test';

for (const variant of variants) {
  test.describe(`${variant.locale}, ${variant.colorScheme}`, () => {
    test.use(variant);
    test('axe reports nothing on charts, their numbers and both dialogs', async ({
      page,
      request,
    }) => {
      await openCharts(page, await addressOf(request));
      await page.locator('.chart summary').first().click();
      await expect(page.locator('.number-table')).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('a');
      await page.locator('.place-branch summary').first().click();
      await expect(page.locator('.branch-content')).toBeVisible();
      expect(await violations(page)).toEqual([]);
      await page.keyboard.press('Escape');
      await page.locator('.page-tools .button').last().click();
      await expect(page.locator('.share-code')).not.toHaveCount(0);
      expect(await violations(page)).toEqual([]);
    });
  });
}

test.describe('a phone', () => {
  test.use({ viewport: { width: 360, height: 740 } });
  test('charts fit into 360 pixels', async ({ page, request }) => {
    await openCharts(page, await addressOf(request));
    await page.locator('.chart summary').first().click();
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(360);
  });
});

test('a chart follows the width of the window', async ({ page, request }) => {
  await openCharts(page, await addressOf(request));
  await page.setViewportSize({ width: 800, height: 700 });
  const inside = async (): Promise<boolean> => {
    const chart = await page.locator('.chart').first().boundingBox();
    const canvas = await page.locator('.chart canvas').first().boundingBox();
    return chart !== null && canvas !== null && Math.abs(chart.width - canvas.width - 34) <= 1;
  };
  await expect.poll(inside).toBe(true);
});

test('says what to do where a range has no values, and where a service fails', async ({
  page,
  request,
}) => {
  const { device } = await seedDevice(request);
  const empty = 'from=2020-01-01T00:00:00.000Z&to=2020-01-02T00:00:00.000Z';
  await page.goto(`/explore?device=${device}&field=temperature&${empty}`);
  await expect(page.getByText('No values in this time')).toBeVisible();
  await page.goto('/explore?device=missing-device&field=temperature');
  const alert = page.getByRole('alert');
  await expect(alert).toBeVisible();
  await expect(alert.getByRole('button', { name: 'Retry' })).toBeVisible();
});

async function addressOf(request: Parameters<typeof seedDevice>[0]): Promise<string> {
  const { device, from, to } = await seedDevice(request);
  const range = `from=${new Date(from).toISOString()}&to=${new Date(to).toISOString()}`;
  return `/explore?device=${device}&field=temperature&field=energyImport&${range}&compare=day`;
}

async function openCharts(page: Page, address: string): Promise<void> {
  await page.goto(address);
  await expect(page.locator('.chart canvas')).toHaveCount(2);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
}

async function violations(page: Page): Promise<unknown[]> {
  const found = await new AxeBuilder({ page }).analyze();
  return found.violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]);
}

import { expect, test } from '@playwright/test';
import { openNumbers, seedDevice } from './explore-data.ts';
import { iso, openChart } from './explore-range.ts';

const hourMs = 3_600_000;

test('the keyboard reads exact numbers from point to point, and says them', async ({
  page,
  request,
}) => {
  const seeded = await seedDevice(request);
  const other = await seedDevice(request);
  const { from, to } = { from: seeded.to - hourMs, to: seeded.to };
  const range = `from=${iso(from)}&to=${iso(to)}&show=readings&zone=UTC`;
  const devices = `device=${seeded.device}&device=${other.device}`;
  await page.goto(`/explore?${devices}&field=temperature&${range}`);
  const own = seeded.readings.filter(({ time }) => time >= from && time < to);
  const status = page.locator('.chart [role=status]');
  const plot = page.getByRole('application', { name: /Temperature/ });
  await plot.press('Home');
  await expect(status).toContainText(`${seeded.name}: ${own[0]?.temperature} °C`);
  await plot.press('ArrowDown');
  for (const { temperature } of own.slice(1)) {
    await plot.press('ArrowRight');
    await expect(status).toContainText(`: ${temperature} °C`);
    await expect(status).not.toContainText(other.name);
    const shown = page.locator('.chart-legend li').filter({ hasText: seeded.name });
    await expect(shown.locator('.chart-reading')).toHaveText(`${temperature} °C`);
  }
  await plot.press('Shift+ArrowLeft');
  await expect(status).toContainText(`${own.at(-11)?.temperature} °C`);
  // The point stays while the chart moves.
  await page.keyboard.press('+');
  await plot.press('Escape');
  await expect(status).toHaveText('');
  await expect(page.locator('.chart-reading')).toHaveCount(0);
  await page.keyboard.press('?');
  await expect(page.getByRole('dialog')).toContainText('Read the next point');
});

test('the keyboard reads the numbers of the table', async ({ page, request }) => {
  await openChart(page, await seedDevice(request));
  const rows = await openNumbers(page, 'Temperature');
  const [, value, low, high] = rows.findLast(([, text]) => text !== '–') ?? [];
  await page.locator('.chart-plot').press('End');
  const text = `${value} °C (${low} to ${high})`;
  await expect(page.locator('.chart-reading')).toHaveText(text);
  await expect(page.locator('.chart [role=status]')).toContainText(text);
});

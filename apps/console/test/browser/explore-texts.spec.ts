import { randomUUID } from 'node:crypto';
import { expect, test } from '@playwright/test';
import { store } from './explore-data.ts';

test('a chart without numbers says that its field has texts', async ({ page, request }) => {
  const device = `texts-${randomUUID()}`;
  await store(request, [
    { device, temperature: '21.5', power: 5 },
    { device, temperature: 'off', power: 6 },
  ]);
  const noNumbers = page.getByText('No numbers of temperature in this time');
  for (const show of ['avg', 'readings']) {
    await page.goto(`/explore?device=${device}&field=temperature&show=${show}`);
    await expect(noNumbers).toBeVisible();
    await expect(page.getByText('No values in this time')).toHaveCount(0);
  }
  // Beside a chart that has numbers.
  await page.goto(`/explore?device=${device}&field=temperature&field=power`);
  await expect(page.locator('.chart canvas')).toHaveCount(1);
  await expect(noNumbers).toBeVisible();
  await page.goto(`/explore?device=${device}&field=power`);
  await expect(page.locator('.chart canvas')).toHaveCount(1);
  await expect(noNumbers).toHaveCount(0);
});

test('a device that sends texts only has its fields named', async ({ page, request }) => {
  const device = `texts-${randomUUID()}`;
  await store(request, [{ device, temperature: '21.5', isOpen: true, alarm: null }]);
  await page.goto(`/explore?device=${device}`);
  await expect(
    page.getByText('Fields with texts, true or false: isOpen and temperature.'),
  ).toBeVisible();
});

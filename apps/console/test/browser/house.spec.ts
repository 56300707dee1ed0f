import { expect, test } from '@playwright/test';
import type { Locator, Page } from '@playwright/test';

test('values equal the API, and change when a reading arrives', async ({ page, request }) => {
  const device = `browser-${Date.now()}`;
  const publish = async (temperature: number): Promise<void> => {
    const sent = await request.post('/api/ingestion/v1/readings', {
      data: [{ device, temperature }],
    });
    expect(sent.ok()).toBe(true);
  };
  await publish(21.25);
  await request.put(`/api/registry/v1/places/tanaka/devices/${device}`, { data: {} });
  await page.goto('/house');
  const row = page.locator(`[data-device="${device}"]`);
  await scrollTo(page, row);
  await expect(row).toContainText('21.25 °C');
  await publish(22.5);
  await expect(row).toContainText('22.5 °C');
  await request.delete(`/api/registry/v1/devices/${device}`);
});

test('a pending device is approved', async ({ page, request }) => {
  const device = `pending-${Date.now()}`;
  await request.put(`/api/registry/v1/devices/${device}`, {
    data: { name: device, status: 'pending' },
  });
  await page.goto('/house');
  await page.getByRole('button', { name: `Approve ${device}` }).click();
  await expect(page.getByRole('button', { name: `Approve ${device}` })).toHaveCount(0);
  const found = await request.get(`/api/registry/v1/devices/${device}`);
  expect(await found.json()).toMatchObject({ status: 'active' });
  await request.delete(`/api/registry/v1/devices/${device}`);
});

test('shows the problem and what to do where a service fails', async ({ page }) => {
  await page.route('**/api/registry/v1/places?*', (route) =>
    route.fulfill({
      status: 403,
      contentType: 'application/problem+json',
      body: JSON.stringify({ title: 'Forbidden', detail: 'No scope read.', requestId: 'r-1' }),
    }),
  );
  await page.goto('/house');
  const alert = page.getByRole('alert');
  await expect(alert).toContainText('No scope read.');
  await expect(alert).toContainText('Your token lacks the scope or the place.');
  await expect(alert).toContainText('r-1');
  await page.unroute('**/api/registry/v1/places?*');
  await alert.getByRole('button', { name: 'Retry' }).click();
  await expect(page.getByRole('list')).not.toHaveCount(0);
});

/** Scrolls the virtual list until the row is drawn. */
async function scrollTo(page: Page, row: Locator): Promise<void> {
  await expect(async () => {
    if ((await row.count()) === 0) await page.mouse.wheel(0, 400);
    expect(await row.count()).toBe(1);
  }).toPass();
}

import { expect, test } from '@playwright/test';
import { untilAccepted } from './requests.ts';
import type { Locator, Page } from '@playwright/test';

test(
  'values equal the API, and change when a reading arrives',
  { tag: '@main' },
  async ({ page, request }) => {
    const device = `browser-${Date.now()}`;
    const publish = (temperature: number) =>
      untilAccepted(() =>
        request.post('/api/ingestion/v1/readings', { data: [{ device, temperature }] }),
      );
    await publish(21.25);
    await untilAccepted(() =>
      request.put(`/api/registry/v1/places/tanaka/devices/${device}`, { data: {} }),
    );
    await page.goto('/house');
    const row = page.locator(`[data-device="${device}"]`);
    await scrollTo(page, row);
    await expect(row).toContainText('21.25 °C');
    await publish(22.5);
    await expect(row).toContainText('22.5 °C');
    await request.delete(`/api/registry/v1/devices/${device}`);
  },
);

test('a pending device is approved', async ({ page, request }) => {
  const device = `pending-${Date.now()}`;
  await untilAccepted(() =>
    request.put(`/api/registry/v1/devices/${device}`, {
      data: { name: device, status: 'pending' },
    }),
  );
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

test('a device without a place has values with units, also live', async ({ page, request }) => {
  const device = `unplaced-${Date.now()}`;
  const publish = (data: object) =>
    untilAccepted(() =>
      request.post('/api/ingestion/v1/readings', { data: [{ device, ...data }] }),
    );
  await publish({ temperature: 19.5 });
  await publish({ humidity: 41.5 });
  await page.goto('/house?place=');
  const row = page.locator(`[data-device="${device}"]`);
  // Other tests have left devices without a place.
  await scrollTo(page, row);
  await expect(row).toContainText('19.5 °C');
  await expect(row).toContainText('41.5 %');
  await expect(page.locator('.live-badge')).toHaveText('Live');
  await publish({ temperature: 18.75 });
  await expect(row).toContainText('18.75 °C');
  // Of one bucket, it has no line yet.
  await expect(row.locator('.sparkline')).toHaveCount(1);
  await request.delete(`/api/registry/v1/devices/${device}`);
});

test('values of a device without a place are requested again after a failure', async ({
  page,
  request,
}) => {
  const device = `retried-${Date.now()}`;
  await untilAccepted(() =>
    request.post('/api/ingestion/v1/readings', { data: [{ device, temperature: 17.5 }] }),
  );
  let failures = 0;
  await page.route('**/api/query/v1/latest?*', (route) => {
    failures += 1;
    // The client itself repeats requests that fail with 5xx.
    return route.fulfill({ status: 400 });
  });
  await page.goto('/house?place=');
  const row = page.locator(`[data-device="${device}"]`);
  await scrollTo(page, row);
  await expect(page.locator('.live-badge')).toHaveText('Live');
  // Without a scroll or a change of the feed, which request values as well, and before the refresh of each 50 s.
  const before = failures;
  await expect.poll(() => failures).toBeGreaterThan(before + 2);
  await page.unroute('**/api/query/v1/latest?*');
  await expect(row).toContainText('17.5 °C');
  await request.delete(`/api/registry/v1/devices/${device}`);
});

/** Scrolls the virtual list until the row is in view. */
async function scrollTo(page: Page, row: Locator): Promise<void> {
  let turns = 0;
  await expect(async () => {
    // Places that load late move the row above the view: after a hundred turns, the search begins again at the top.
    if ((await row.count()) === 0) await page.mouse.wheel(0, ++turns % 100 === 0 ? -1e6 : 400);
    expect(await row.count()).toBe(1);
  }).toPass();
  // Rows beside the view are drawn as well, but only those in view have values.
  await row.scrollIntoViewIfNeeded();
}

import { expect, test } from '@playwright/test';
import { untilAccepted } from './requests.ts';
import type { APIRequestContext, Page } from '@playwright/test';

/** Longer than the time between two refreshes of the page. In milliseconds. */
const refreshMs = 51_000;
const minuteMs = 60_000;

const put = (request: APIRequestContext, path: string, data: object) =>
  untilAccepted(() => request.put(`/api/registry/v1/${path}`, { data }));
const rename = (request: APIRequestContext, path: string, data: object) =>
  untilAccepted(() => request.patch(`/api/registry/v1/${path}`, { data }));
const remove = (request: APIRequestContext, path: string) =>
  untilAccepted(() => request.delete(`/api/registry/v1/${path}`));

/** Refreshes until the page is as expected: the list of devices is an eventually consistent index. */
async function afterRefresh(page: Page, expectation: () => Promise<unknown>): Promise<void> {
  await expect(async () => {
    await page.clock.runFor(refreshMs);
    await expectation();
  }).toPass();
}

/** The requests for the list of devices. */
function listRequests(page: Page): URL[] {
  const urls: URL[] = [];
  page.on('request', (request) => {
    const url = new URL(request.url());
    if (url.pathname === '/api/registry/v1/devices') urls.push(url);
  });
  return urls;
}

test('a refresh reads the list of devices once, as a whole', async ({ page }) => {
  const lists = listRequests(page);
  await page.clock.install();
  await page.goto('/house');
  await expect(page.locator('.device-row').first()).toBeVisible();
  expect(lists).toHaveLength(1);
  await page.clock.runFor(refreshMs);
  await expect.poll(() => lists.length).toBe(2);
  expect(lists.map((url) => url.searchParams.get('limit'))).toEqual(['1000', '1000']);
});

test('shows what was created, renamed, moved and deleted elsewhere', async ({ page, request }) => {
  const id = `elsewhere-${Date.now()}`;
  await page.clock.install();
  await page.goto('/house?place=');
  await expect(page.locator('.device-row').first()).toBeVisible();

  await put(request, `devices/${id}`, { name: `A ${id}` }); // it never sends a message
  const row = page.locator(`[data-device="${id}"]`);
  await afterRefresh(page, () => expect(row).toContainText(`A ${id}`, { timeout: 3000 }));
  await rename(request, `devices/${id}`, { name: `B ${id}` });
  await afterRefresh(page, () => expect(row).toContainText(`B ${id}`, { timeout: 3000 }));

  const place = `a-place-${Date.now()}`;
  await put(request, `places/${place}`, { name: `A place ${place}` });
  await put(request, `places/${place}/devices/${id}`, {});
  await afterRefresh(page, () => expect(row).toHaveCount(0, { timeout: 3000 }));
  await page.goto(`/house?place=${place}`);
  await expect(row).toContainText(`B ${id}`);
  await rename(request, `devices/${id}`, { name: `C ${id}` });
  await afterRefresh(page, () => expect(row).toContainText(`C ${id}`, { timeout: 3000 }));
  await remove(request, `devices/${id}`);
  await afterRefresh(page, () => expect(row).toHaveCount(0, { timeout: 3000 }));
  const header = page.getByRole('heading', { name: `A place ${place}` });
  await expect(header).toHaveCount(1);
  await remove(request, `places/${place}`);
  await afterRefresh(page, () => expect(header).toHaveCount(0, { timeout: 3000 }));
});

test('shows that a device was approved elsewhere', async ({ page, request }) => {
  const id = `waiting-${Date.now()}`;
  await put(request, `devices/${id}`, { name: id, status: 'pending' });
  await page.clock.install();
  await page.goto('/house');
  const approve = page.getByRole('button', { name: `Approve ${id}` });
  await expect(approve).toBeVisible();
  await rename(request, `devices/${id}`, { status: 'active' });
  await afterRefresh(page, () => expect(approve).toHaveCount(0, { timeout: 3000 }));
  await remove(request, `devices/${id}`);
});

test('a device is silent three hours after its last message, to the minute', async ({
  page,
  request,
}) => {
  const [silent, recent] = [`silent-${Date.now()}`, `recent-${Date.now()}`];
  const publish = (device: string, minutesAgo: number) => {
    const time = new Date(Date.now() - minutesAgo * minuteMs).toISOString();
    return untilAccepted(() =>
      request.post('/api/ingestion/v1/readings', { data: [{ device, time, temperature: 20 }] }),
    );
  };
  // The list has the time of the first message: the second one follows within an hour.
  for (const device of [silent, recent]) await publish(device, 205);
  await publish(silent, 181);
  await publish(recent, 170);
  const latest: string[] = [];
  page.on('request', (one) => {
    if (one.url().includes('readings=1&') && one.url().includes(recent)) latest.push(one.url());
  });
  await page.clock.install();
  await page.goto('/house');
  const problems = page.getByRole('region', { name: 'Needs attention' });
  await expect(problems.getByRole('link', { name: silent })).toBeVisible();
  await expect(problems.getByRole('link', { name: recent })).toHaveCount(0);
  await page.clock.runFor(11 * minuteMs);
  await expect(problems.getByRole('link', { name: recent })).toBeVisible();
  expect(latest).toHaveLength(1);
  await publish(recent, 0);
  await afterRefresh(page, () =>
    expect(problems.getByRole('link', { name: recent })).toHaveCount(0, { timeout: 3000 }),
  );
  for (const device of [silent, recent]) await remove(request, `devices/${device}`);
});

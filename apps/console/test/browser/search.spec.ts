import { expect, test } from '@playwright/test';
import { untilAccepted } from './requests.ts';
import type { Page } from '@playwright/test';

/** Searches until the text has this result: indexes may be some seconds behind. */
async function choose(page: Page, text: string, result: RegExp): Promise<void> {
  await page.keyboard.press('/');
  const input = page.getByRole('combobox', { name: 'Search' });
  const option = page.getByRole('option', { name: result });
  await expect(async () => {
    await input.fill('');
    await input.fill(text);
    await expect(option).toBeVisible({ timeout: 2000 });
  }).toPass();
  while ((await option.getAttribute('aria-selected')) !== 'true') {
    await page.keyboard.press('ArrowDown');
  }
  await page.keyboard.press('Enter');
}

test('finds devices, places and partition keys', { tag: '@main' }, async ({ page }) => {
  await page.goto('/house');
  await choose(page, 'Smith smart', /Device · meter-smith/);
  await expect(page).toHaveURL(/\/explore\?device=meter-smith$/);
  await choose(page, 'Smith', /^Smith family\s*Place/);
  await expect(page).toHaveURL(/\/house\?place=smith$/);
  await expect(page.getByRole('button', { name: /^Smith family/ })).toBeInViewport();
  await choose(page, 'DEVICE#meter-smith', /Partition key · table/);
  await expect(page).toHaveURL(/\/table\?view=items&index=table&pk=DEVICE%23meter-smith$/);
});

test('finds entities of the catalog by their texts', async ({ page, request }) => {
  const type = `Searched${Date.now()}`;
  await untilAccepted(() =>
    request.put(`/api/catalog/v1/types/${type}`, {
      data: { attributes: [{ name: 'title', kind: 'text' }], fullText: ['title'] },
    }),
  );
  await untilAccepted(() =>
    request.put(`/api/catalog/v1/entities/${type}/one`, {
      data: { attributes: { title: `Quiet veranda ${type}` } },
    }),
  );
  await page.goto('/house');
  await choose(page, type, new RegExp(`Quiet veranda ${type}`));
  await expect(page).toHaveURL(`/table?view=catalog&type=${type}&id=one`);
  await request.delete(`/api/catalog/v1/entities/${type}/one`);
  await request.delete(`/api/catalog/v1/types/${type}`);
});

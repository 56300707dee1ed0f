import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';

async function expectNoAxeFindings(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

test(
  'items of a device are decoded beside their raw attributes, with their price',
  { tag: '@main' },
  async ({ page, request }) => {
    const device = `table-${Date.now()}`;
    const data = [{ device, temperature: 21.25, time: new Date().toISOString() }];
    expect((await request.post('/api/ingestion/v1/readings', { data })).ok()).toBe(true);
    await page.goto('/table');
    await page.getByRole('searchbox', { name: 'Filter families' }).fill('block reading newest');
    await page.getByRole('link', { name: 'DEVICE#<device>[#<shard>]' }).click();
    await expect(page.getByLabel('Partition key')).toHaveValue('DEVICE#');
    await page.getByLabel('Partition key').fill(`DEVICE#${device}`);
    await page.getByLabel('Sort key').selectOption('begins with');
    await page.getByLabel('Sort key value').fill('#TS#');
    await expect(page.getByText(/^Costs at most [\d,.]+ read units$/)).toBeVisible();
    await expect(page.getByText('Key family: device, block')).toBeVisible();
    await expect(page.locator('.item')).toHaveCount(0);
    await page.getByRole('button', { name: 'Query' }).click();
    await expect(page.getByText('Consumed read units: 0.5 · requests: 1 · items: 1')).toBeVisible();
    const item = page.locator('.item');
    await expect(item.getByRole('cell', { name: '21.25' })).toBeVisible();
    await expect(item.locator('pre')).toContainText('{ "N": "21.25" }');
    await expectNoAxeFindings(page);

    // The URL has the whole request.
    await page.reload();
    await expect(page.getByText(/^Costs at most/)).toBeVisible();
    await page.getByLabel('Sort key value').press('Enter');
    await expect(item.getByRole('cell', { name: '21.25' })).toBeVisible();
  },
);

test('pages follow each other, and an index leads to the whole item', async ({ page }) => {
  await page.goto('/table?view=items&index=gsi1&pk=LIST%23DEVICE%230&limit=10');
  await page.getByRole('button', { name: 'Query' }).click();
  await expect(page.locator('.item')).toHaveCount(10);
  await page.getByRole('button', { name: 'Query the next page' }).click();
  await expect(page.getByText(/requests: 2 · items: \d\d$/)).toBeVisible();
  await page.getByRole('link', { name: 'Whole item in the table' }).first().click();
  await expect(page).toHaveURL(/pk=DEVICE/);
  await expect(page.getByText('Key family: device')).toBeVisible();
});

test('the problem of a request is shown at its price', async ({ page }) => {
  await page.goto('/table?view=items&pk=a&condition=range&skFrom=b&skTo=a');
  await expect(page.getByRole('alert')).toContainText('must not be above');
});

async function put(request: APIRequestContext, path: string, data: object): Promise<void> {
  const response = await request.put(`/api/catalog/v1/${path}`, { data });
  expect(response.ok()).toBe(true);
}

test('a relation is walked from a search to an entity and on', async ({ page, request }) => {
  const suffix = String(Date.now());
  const [author, book] = [`Author${suffix}`, `Book${suffix}`];
  await put(request, `types/${author}`, { attributes: [{ name: 'name', kind: 'text' }] });
  await put(request, `types/${book}`, {
    attributes: [
      { name: 'title', kind: 'text' },
      { name: 'year', kind: 'number' },
    ],
    relations: [{ name: 'writtenBy', to: author }],
    searches: [
      { name: 'byAuthor', parts: [{ relation: 'writtenBy' }, { attribute: 'year', as: 'number' }] },
    ],
  });
  await put(request, `entities/${author}/soseki`, { attributes: { name: '夏目漱石' } });
  await put(request, `entities/${book}/kokoro`, {
    attributes: { title: 'こころ', year: 1914 },
    relations: { writtenBy: 'soseki' },
  });

  await page.goto(`/table?view=catalog&type=${author}`);
  await page.getByRole('list', { name: 'Leads here' }).getByRole('link', { name: book }).click();
  await expect(page.getByRole('list', { name: 'Leads to' })).toContainText('writtenBy');
  await page.getByLabel('By').selectOption('Search byAuthor');
  await expect(page.getByLabel('Condition on year')).toBeDisabled();
  await page.getByLabel('Condition on writtenBy').selectOption('=');
  await page.getByLabel('Value of writtenBy').fill('soseki');
  await page.getByLabel('Condition on year').selectOption('between');
  await page.getByLabel('year: from').fill('1915');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('No entity matches')).toBeVisible();
  await page.getByLabel('year: from').fill('1914');
  await page.getByLabel('year: from').press('Enter');
  await page.getByRole('link', { name: 'こころ' }).click();
  await expectNoAxeFindings(page);
  await page
    .getByRole('list', { name: 'Leads to' })
    .getByRole('link', { name: '夏目漱石' })
    .click();
  await expect(page).toHaveURL(new RegExp(`type=${author}&id=soseki`));
  await expect(page.getByRole('list', { name: 'Leads here' })).toContainText('こころ');
  await page.getByRole('link', { name: 'Show its items' }).click();
  await page.getByRole('button', { name: 'Query' }).click();
  await expect(page.locator('.item').first()).toContainText(`E#${author}#soseki`);
});

test('finds the ranking of a week, and says which one', async ({ page, request }) => {
  const type = `Round${Date.now()}`;
  const period = { attribute: 'playedAt', length: 'P1W' };
  await put(request, `types/${type}`, {
    attributes: [
      { name: 'name', kind: 'text' },
      { name: 'points', kind: 'number' },
      { name: 'playedAt', kind: 'instant' },
    ],
    rankings: [{ name: 'byWeek', attribute: 'points', direction: 'descending', period }],
  });
  const round = (name: string, points: number, playedAt: string) =>
    put(request, `entities/${type}/${name}`, { attributes: { name, points, playedAt } });
  await round('monday', 5, '2026-11-23T00:00:00Z');
  await round('sunday', 7, '2026-11-22T23:59:59Z');

  await page.goto(`/table?view=catalog&type=${type}`);
  await page.getByLabel('By').selectOption('Ranking byWeek');
  const week = page.getByRole('textbox', { name: 'Week' });
  await week.fill('2026-W48');
  await page.getByRole('button', { name: 'Find' }).click();
  await expect(page.getByText('Entities: 1 · 2026-W48')).toBeVisible();
  await expect(page.getByRole('link', { name: 'monday' })).toBeVisible();
  await expectNoAxeFindings(page);
  await week.fill('2026-W47');
  await week.press('Enter');
  await expect(page.getByRole('link', { name: 'sunday' })).toBeVisible();
});

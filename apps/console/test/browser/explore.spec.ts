import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { csvCells, getJson, openNumbers, seedDevice } from './explore-data.ts';
import type { Page } from '@playwright/test';

const hourMs = 3_600_000;

test('nothing is loaded before a source and a field are chosen, with the keyboard only', async ({
  page,
  request,
}) => {
  const { device, name } = await seedDevice(request);
  const loads: string[] = [];
  page.on('request', (one) => {
    if (/aggregates|readings/.test(one.url())) loads.push(one.url());
  });
  await page.goto('/explore');
  await expect(page.getByText('Choose what to look at')).toBeVisible();
  await page.keyboard.press('a');
  await page.getByRole('searchbox', { name: 'Search' }).fill(name);
  await page.getByRole('checkbox', { name }).press('Space');
  await page.keyboard.press('Escape');
  await expect(page.getByText('Choose a field')).toBeVisible();
  expect(loads).toEqual([]);
  await page.getByRole('button', { name: 'Temperature' }).press('Enter');
  await expect(page.locator('.chart canvas')).toHaveCount(1);
  expect(loads.length).toBe(1);
  await expect(page).toHaveURL(new RegExp(`/explore\\?device=${device}&field=temperature$`));
});

test('the numbers of a chart are those of the API', { tag: '@main' }, async ({ page, request }) => {
  const { device, from, to } = await seedDevice(request);
  const range = `from=${iso(from)}&to=${iso(to)}`;
  await page.goto(`/explore?device=${device}&field=temperature&${range}&compare=day&zone=UTC`);
  const rows = await openNumbers(page, 'Temperature');
  const every = await widthOf(page, device);
  const path = `/api/query/v1/devices/${device}/aggregates`;
  const parameters = `timeZone=UTC&every=${every}&fn=avg,min,max&fields=temperature&limit=1000`;
  const current = await getJson(request, `${path}?${parameters}&${range}`);
  const dayBefore = `from=${iso(from - 24 * hourMs)}&to=${iso(to - 24 * hourMs)}`;
  const before = await getJson(request, `${path}?${parameters}&${dayBefore}`);
  expect(rows.length).toBe(current.items.length);
  for (const [index, cells] of rows.entries()) {
    const { avg, min, max } = current.items[index]?.fields['temperature'] ?? {};
    const previous = before.items[index]?.fields['temperature']?.['avg'];
    const expected = [avg, min, max, previous].map((value) => String(value ?? '–'));
    expect(cells.slice(1)).toEqual(expected);
  }
});

test('energy is drawn as bars of its increase', async ({ page, request }) => {
  const { device, from, to } = await seedDevice(request);
  const range = `from=${iso(from)}&to=${iso(to)}`;
  await page.goto(`/explore?device=${device}&field=energyImport&${range}&zone=UTC`);
  const rows = await openNumbers(page, 'Imported');
  const every = await widthOf(page, device);
  const query = `timeZone=UTC&every=${every}&fn=increase&fields=energyImport&limit=1000&${range}`;
  const { items } = await getJson(request, `/api/query/v1/devices/${device}/aggregates?${query}`);
  expect(rows.map(([, value]) => value)).toEqual(
    items.map(({ fields }) => String(fields['energyImport']?.['increase'] ?? '–')),
  );
  await expect(page.locator('.chart .swatch-bars')).toHaveCount(1);
});

test('zoom asks for narrower buckets, and Back returns', async ({ page, request }) => {
  const { device, from, to } = await seedDevice(request);
  await page.goto(`/explore?device=${device}&field=temperature&from=${iso(from)}&to=${iso(to)}`);
  await expect(page.locator('.chart-detail')).toHaveText('Average per 5 min');
  const wide = page.url();
  const box = await page.locator('.u-over').boundingBox();
  if (box === null) throw new Error('the plot is not drawn');
  await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
  await page.mouse.down();
  await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 4 });
  await page.mouse.up();
  await expect(page.locator('.chart-detail')).toHaveText('Average per 1 min');
  const query = new URL(page.url()).searchParams;
  const length = Date.parse(query.get('to') ?? '') - Date.parse(query.get('from') ?? '');
  expect(length / (to - from)).toBeCloseTo(0.1, 1);
  await page.keyboard.press('-');
  await expect(page).not.toHaveURL(wide);
  await page.goBack();
  await page.goBack();
  await expect(page).toHaveURL(wide);
  await expect(page.locator('.chart-detail')).toHaveText('Average per 5 min');
});

test('earlier and later ask for the range beside the one that is shown', async ({
  page,
  request,
}) => {
  const { device, from, to } = await seedDevice(request);
  await page.goto(`/explore?device=${device}&field=temperature&from=${iso(from)}&to=${iso(to)}`);
  await expect(page.locator('.chart canvas')).toHaveCount(1);
  const half = (to - from) / 2;
  const asked = page.waitForRequest((one) => one.url().includes(`${device}/aggregates`));
  await page.keyboard.press('[');
  const query = new URL((await asked).url()).searchParams;
  expect([query.get('from'), query.get('to')]).toEqual([iso(from - half), iso(to - half)]);
  await page.getByRole('button', { name: 'Later' }).click();
  await expect(page).toHaveURL(new RegExp(encodeURIComponent(iso(from))));
});

test('a chart of every reading has all readings, and its files are those of the API', async ({
  page,
  request,
}) => {
  const { device, from, to, readings } = await seedDevice(request);
  const range = `from=${iso(from)}&to=${iso(to)}`;
  await page.goto(`/explore?device=${device}&field=temperature&${range}&show=readings&zone=UTC`);
  const rows = await openNumbers(page, device);
  const inRange = readings.filter(({ time }) => time >= from && time < to);
  expect(rows.map(([, value]) => value)).toEqual(inRange.map((one) => String(one.temperature)));
  for (const [type, accept] of [
    ['CSV', 'text/csv'],
    ['NDJSON', 'application/x-ndjson'],
  ] as const) {
    const saved = page.waitForEvent('download');
    await page.getByRole('button', { name: `Download ${type}` }).click();
    const text = readFileSync(await (await saved).path(), 'utf8');
    const url = `/api/query/v1/devices/${device}/readings?${range}&fields=temperature`;
    const file = await request.get(url, { headers: { accept } });
    expect(text).toBe(await file.text());
    expect(text.trimEnd().split('\n').length).toBe(inRange.length + (type === 'CSV' ? 1 : 0));
  }
});

test('the file of aggregates has the numbers of the chart', async ({ page, request }) => {
  const { device, from, to } = await seedDevice(request);
  const range = `from=${iso(from)}&to=${iso(to)}`;
  await page.goto(`/explore?device=${device}&field=temperature&${range}&zone=UTC`);
  const rows = await openNumbers(page, 'Temperature');
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const [head, ...lines] = csvCells(readFileSync(await (await saved).path(), 'utf8'));
  expect(head?.slice(4)).toEqual(['temperature.avg', 'temperature.max', 'temperature.min']);
  expect(lines.map(([, , , , avg, max, min]) => [avg, min, max])).toEqual(
    rows.map((cells) => cells.slice(1).map((text) => (text === '–' ? '' : text))),
  );
});

test('the request as curl has the response of the chart', async ({ page, request }) => {
  const { device, from, to } = await seedDevice(request);
  const range = `from=${iso(from)}&to=${iso(to)}`;
  await page.goto(`/explore?device=${device}&field=temperature&${range}&show=max&zone=UTC`);
  const rows = await openNumbers(page, 'Temperature');
  await page.getByRole('button', { name: 'Share' }).click();
  const code = (await page.locator('.share-code pre').textContent()) ?? '';
  const answer = JSON.parse(execFileSync('sh', ['-c', `${code} -s`], { encoding: 'utf8' })) as {
    items: { fields: Record<string, Record<string, number>> }[];
  };
  expect(answer.items.map(({ fields }) => String(fields['temperature']?.['max'] ?? '–'))).toEqual(
    rows.slice(0, answer.items.length).map(([, value]) => value),
  );
  await page.getByRole('button', { name: 'Python' }).click();
  await expect(page.locator('.share-code pre')).toContainText('import requests');
  await page.getByRole('button', { name: 'TypeScript' }).click();
  await expect(page.locator('.share-code pre')).toContainText('client.query.getAggregates.items');
});

test('an address restores the page', async ({ page, context, request }) => {
  const { device, from, to } = await seedDevice(request);
  await page.goto(`/explore?device=${device}&from=${iso(from)}&to=${iso(to)}`);
  await page.getByRole('button', { name: 'Temperature' }).click();
  await page.getByRole('button', { name: 'Imported' }).click();
  await page.getByRole('combobox', { name: 'Value' }).selectOption('Maximum');
  await page.getByRole('combobox', { name: 'Compare with' }).selectOption('Week before');
  await page.getByRole('combobox', { name: 'Time zone' }).selectOption('Europe/Berlin');
  await expect(page.locator('.chart canvas')).toHaveCount(2);
  const other = await context.newPage();
  await other.goto(page.url());
  await expect(other.locator('.chart canvas')).toHaveCount(2);
  await expect(other.locator('.chart-detail').first()).toHaveText('Maximum per 5 min');
  await expect(other.locator('.page-zone')).toHaveText('Times in Europe/Berlin');
  await expect(other.getByRole('combobox', { name: 'Compare with' })).toHaveValue('week');
  await expect(other.locator('[aria-pressed=true]')).toHaveText(['Imported kWh', 'Temperature °C']);
  const shown = await openNumbers(page, 'Temperature');
  expect(await openNumbers(other, 'Temperature')).toEqual(shown);
});

test('the keyboard reads values of a chart', async ({ page, request }) => {
  const { device, from, to } = await seedDevice(request);
  const range = `from=${iso(from)}&to=${iso(to)}`;
  await page.goto(`/explore?device=${device}&field=temperature&${range}&show=last&zone=UTC`);
  const rows = await openNumbers(page, 'Temperature');
  await page.locator('.chart-plot').press('Home');
  await page.locator('.chart-plot').press('ArrowRight');
  const reported = rows.filter(([, value]) => value !== '–');
  await expect(page.locator('.chart-reading')).toHaveText(`${reported[1]?.[1]} °C`);
  await expect(page.locator('.chart-time')).toContainText('UTC');
});

/** The width of bucket that the page has received. */
async function widthOf(page: Page, device: string): Promise<string> {
  const answered = page.waitForResponse((one) => one.url().includes(`${device}/aggregates`));
  await page.reload();
  const { every } = (await (await answered).json()) as { every: string };
  return every;
}

function iso(time: number): string {
  return new Date(time).toISOString();
}

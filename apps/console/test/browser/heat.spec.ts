import AxeBuilder from '@axe-core/playwright';
import { expect, test } from '@playwright/test';
import type { APIRequestContext } from '@playwright/test';

/** A partition takes 1,000 write units a second, and a reading of 60 KB consumes 60 units. */
const readingsPerRequest = 10;
const noteBytes = 60_000;

async function publish(request: APIRequestContext, device: string, round: number): Promise<void> {
  const data = Array.from({ length: readingsPerRequest }, (_, at) => ({
    device,
    time: new Date(Date.now() - (round * readingsPerRequest + at) * 1000).toISOString(),
    note: `${round} ${at} `.padEnd(noteBytes, 'x'),
  }));
  const sent = await request.post('/api/ingestion/v1/readings', { data });
  expect(sent.ok()).toBe(true);
}

test(
  'a hot key appears, and is explained with what to do',
  { tag: '@main' },
  async ({ page, request }) => {
    const device = `hot-${Date.now()}`;
    await page.goto('/heat');
    await expect(page.locator('.heat-now')).toBeVisible();
    const hot = page.locator('.heat-now-hot').getByRole('button', { name: `DEVICE#${device}` });
    for (let round = 0; (await hot.count()) === 0; round += 1)
      await publish(request, device, round);
    await hot.click();
    const explanation = page.getByRole('region', { name: 'What is this key?' });
    await expect(explanation).toContainText(`DEVICE#${device}`);
    await expect(explanation).toContainText('One device: its readings, rollups and corrections.');
    await expect(explanation).toContainText('ingestion (readings)');
    await expect(explanation.getByRole('listitem').first()).toBeVisible();
    const rows = page.getByRole('table');
    await expect(rows.getByRole('button', { name: `DEVICE#${device}` })).toBeVisible();
    expect((await new AxeBuilder({ page }).analyze()).violations).toEqual([]);
    await explanation.getByRole('link', { name: 'Show the items of this key' }).click();
    await expect(page.getByLabel('Partition key')).toHaveValue(`DEVICE#${device}`);
  },
);

test('the numbers of a key equal the report', async ({ page, request }) => {
  const device = `counted-${Date.now()}`;
  await publish(request, device, 0);
  const partition = `DEVICE#${device}`;
  await page.goto(`/heat?key=${encodeURIComponent(`table = ${partition}`)}`);
  const explanation = page.getByRole('region', { name: 'What is this key?' });
  await expect(explanation).toContainText('write units');
  await expect(async () => {
    const units = await reportedWrites(request, partition);
    expect(units).toBeGreaterThan(readingsPerRequest * 50);
    await expect(explanation).toContainText(`${units.toLocaleString('en')} write units`, {
      timeout: 1000,
    });
  }).toPass();
});

interface ReportedRow {
  index: string;
  partition: string;
  writes: { values: number[] }[];
}

/** The units of the key in the table, as the processes of ingestion report them. */
async function reportedWrites(request: APIRequestContext, partition: string): Promise<number> {
  const response = await request.get('/api/ingestion/v1/hot-partitions/history/merged');
  const { rows } = (await response.json()) as { rows: ReportedRow[] };
  return rows
    .filter((row) => row.index === 'table' && row.partition === partition)
    .flatMap(({ writes }) => writes.flatMap(({ values }) => values))
    .reduce((sum, value) => sum + value, 0);
}

test('the map is read with the keyboard', async ({ page, request }) => {
  await publish(request, `keyboard-${Date.now()}`, 0);
  await page.goto('/heat?order=key');
  const map = page.getByRole('application');
  await map.focus();
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowLeft');
  await expect(page.getByRole('status').filter({ hasText: 'write units' })).toContainText(
    'of the limit',
  );
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/key=/);
  await expect(page.getByRole('region', { name: 'What is this key?' })).toBeVisible();
  await page.keyboard.press('2');
  await expect(page).toHaveURL(/resolution=minute/);
  await expect(page.getByRole('radio', { name: 'Minutes, 24 h' })).toBeChecked();
});

test('colours are drawn with a pixel per cell', async ({ page, request }) => {
  await publish(request, `drawn-${Date.now()}`, 0);
  await page.goto('/heat');
  await expect(page.getByRole('application')).toBeVisible();
  await expect.poll(() => page.evaluate(coloursOfPicture)).toBeGreaterThan(1);
  // The part of the ten minutes that has use: an eighth in a new process.
  expect([75, 150, 300, 600]).toContain(await page.evaluate(pictureWidth));
});

/** Expressions of the page, whose types this project does not have. */
const picture = `document.querySelector('canvas.heat-picture')`;
const pictureWidth = `${picture}.width`;
const coloursOfPicture = `new Set(new Uint32Array(${picture}.getContext('2d')
  .getImageData(0, 0, ${picture}.width, ${picture}.height).data.buffer)).size`;

test('a service without an answer is named, and the others are shown', async ({ page }) => {
  await page.route('**/api/catalog/v1/hot-partitions/**', (route) => route.abort());
  await page.goto('/heat');
  await expect(page.getByText('Without catalog')).toBeVisible();
  await expect(page.locator('.heat-now')).toBeVisible();
});

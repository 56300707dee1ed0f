import { readFileSync } from 'node:fs';
import { expect, test } from '@playwright/test';
import { CuttingRelay } from './cutting-relay.ts';
import { seedDevice } from './explore-data.ts';
import { iso } from './explore-range.ts';
import type { APIRequestContext, Page } from '@playwright/test';

const minuteMs = 60_000;
const halfMinuteMs = 30_000;

interface Range {
  from: number;
  to: number;
}

test('readings of several devices are in one CSV file, as the API has them', async ({
  page,
  request,
}) => {
  const { devices, range } = await openReadings(page, request, 3);
  const text = await savedFile(page, 'CSV', 'One file');
  const [head, ...rows] = text.trimEnd().split('\r\n');
  expect(head).toBe('device,time,energyImport,temperature');
  const expected: string[] = [];
  for (const device of devices) {
    const file = await exported(request, { device, range, accept: 'text/csv' });
    const [, ...own] = file.trimEnd().split('\r\n');
    expected.push(...own.map((row) => `${device},${row}`));
  }
  expect(rows).toEqual(expected);
  await expect(page.getByRole('dialog').getByRole('status')).toContainText('864 rows');
});

test('each line of one NDJSON file has its device', async ({ page, request }) => {
  const { devices, range } = await openReadings(page, request, 2);
  const text = await savedFile(page, 'NDJSON', 'One file');
  const expected: unknown[] = [];
  for (const device of devices) {
    const file = await exported(request, { device, range, accept: 'application/x-ndjson' });
    expected.push(...parseLines(file).map((row) => ({ device, ...row })));
  }
  expect(parseLines(text)).toEqual(expected);
});

test('aggregates of fields with different widths are in one file', async ({ page, request }) => {
  const { devices } = await openReadings(page, request, 2, { show: 'avg' });
  const [head, ...rows] = (await savedFile(page, 'CSV', 'One file')).trimEnd().split('\r\n');
  const values = ['energyImport.increase', 'temperature.avg', 'temperature.max', 'temperature.min'];
  expect(head).toBe(['device', 'from', 'to', 'localFrom', 'incomplete', ...values].join(','));
  const cells = rows.map((row) => row.split(','));
  expect(new Set(cells.map(({ length }) => length))).toEqual(new Set([9]));
  expect(new Set(cells.map(([device]) => device))).toEqual(new Set(devices));
});

test('a file of each source is still available', async ({ page, request }) => {
  await openReadings(page, request, 2);
  const names: string[] = [];
  page.on('download', (one) => names.push(one.suggestedFilename()));
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: '2 files' }).click();
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  await expect(dialog.getByRole('status')).toHaveText('Saved');
  await expect.poll(() => names.length).toBe(2);
});

test('a download that the network interrupts is told, continued, and complete', async ({
  page,
  request,
  baseURL,
}) => {
  // 2,880 rows each: the second device is cut off after its first cursor.
  const relay = await CuttingRelay.start(baseURL ?? '', /^GET \S*[?&]resumable=true/, 0.6);
  const { devices, range } = await openReadings(page, request, 2, {
    stepMs: halfMinuteMs,
    origin: relay.url,
  });
  const cursors: (string | null)[] = [];
  page.on('request', (one) => {
    const { searchParams } = new URL(one.url());
    if (searchParams.has('resumable')) cursors.push(searchParams.get('cursor'));
  });
  await page.getByRole('button', { name: 'Download CSV' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  // The page has read rows of the second device, among them one with a cursor.
  await expect(dialog.getByRole('status')).toContainText(/\(2 of 2\): 4,\d\d\d rows/);
  relay.cut();
  const alert = dialog.getByRole('alert');
  await expect(alert).toContainText(
    /Stopped at .* \(2 of 2\) after [34],\d\d\d rows\. Its last row/,
  );
  await expect(alert).toContainText('No file is saved yet');
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Continue' }).click();
  const rows = readFileSync(await (await saved).path(), 'utf8')
    .trimEnd()
    .split('\r\n');
  const expected: string[] = ['device,time,energyImport,temperature'];
  for (const device of devices) {
    const file = await exported(request, { device, range, accept: 'text/csv' });
    const [, ...own] = file.trimEnd().split('\r\n');
    expected.push(...own.map((row) => `${device},${row}`));
  }
  expect(rows).toEqual(expected);
  expect(cursors).toEqual([null, null, expect.any(String)]);
  relay.close();
});

async function openReadings(
  page: Page,
  request: APIRequestContext,
  count: number,
  { show = 'readings', stepMs = 5 * minuteMs, origin = '' } = {},
) {
  const devices: string[] = [];
  let range: Range = { from: 0, to: 0 };
  for (let made = 0; made < count; made += 1) {
    const { device, from, to } = await seedDevice(request, { stepMs });
    devices.push(device);
    range = { from, to };
  }
  const query = [
    ...devices.map((device) => `device=${device}`),
    'field=temperature&field=energyImport',
    `from=${iso(range.from)}&to=${iso(range.to)}&zone=UTC`,
    `show=${show}`,
  ].join('&');
  await page.goto(`${origin}/explore?${query}`);
  await expect(page.locator('.chart canvas')).toHaveCount(2);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  return { devices, range };
}

async function savedFile(page: Page, type: 'CSV' | 'NDJSON', form: string): Promise<string> {
  await page.getByRole('button', { name: `Download ${type}` }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: form }).click();
  const saved = page.waitForEvent('download');
  await dialog.getByRole('button', { name: 'Download', exact: true }).click();
  return readFileSync(await (await saved).path(), 'utf8');
}

/** The service's own file. */
async function exported(
  request: APIRequestContext,
  { device, range, accept }: { device: string; range: Range; accept: string },
): Promise<string> {
  const times = `from=${iso(range.from)}&to=${iso(range.to)}`;
  const url = `/api/query/v1/devices/${device}/readings?${times}&fields=temperature,energyImport`;
  return (await request.get(url, { headers: { accept } })).text();
}

function parseLines(text: string): object[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as object);
}

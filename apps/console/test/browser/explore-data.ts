import { randomUUID } from 'node:crypto';
import { expect } from '@playwright/test';
import type { APIRequestContext, Page } from '@playwright/test';

const minuteMs = 60_000;
const dayMs = 86_400_000;

interface SeededReading {
  /** Epoch milliseconds. */
  time: number;
  temperature: number;
  energyImport: number;
}

interface AggregatesBody {
  every: string;
  items: { from: string; fields: Partial<Record<string, Record<string, number>>> }[];
}

/** The largest number of readings that tests send in a request. */
const maxRows = 600;

/** A device of its own with two days of readings. @returns the last day as a range */
export async function seedDevice(request: APIRequestContext, { stepMs = 5 * minuteMs } = {}) {
  const device = `explore-${randomUUID()}`;
  const to = Math.floor(Date.now() / dayMs) * dayMs;
  const readings: SeededReading[] = [];
  for (let time = to - 2 * dayMs; time < to; time += stepMs) {
    const step = readings.length;
    const temperature = Math.round((21 + 3 * Math.sin(step / 40) + (step % 7) / 10) * 100) / 100;
    readings.push({ time, temperature, energyImport: Math.round(step * 3.5) / 100 });
  }
  const rows = readings.map(({ time, ...fields }) => {
    return { device, ts: new Date(time).toISOString(), ...fields };
  });
  for (let sent = 0; sent < rows.length; sent += maxRows) {
    await store(request, rows.slice(sent, sent + maxRows));
  }
  // The newest reading is within the last day, so that its fields are found.
  await store(request, [{ device, temperature: 20, energyImport: 100 }]);
  return { device, name: device, from: to - dayMs, to, readings };
}

/** A loaded machine may answer 503, "send the whole request again". */
export async function store(request: APIRequestContext, rows: readonly unknown[]): Promise<void> {
  const send = async (): Promise<unknown> => {
    const response = await request.post('/api/ingestion/v1/readings', { data: rows });
    return response.json();
  };
  await expect.poll(send).toMatchObject({ stored: rows.length });
}

export async function getJson(request: APIRequestContext, url: string): Promise<AggregatesBody> {
  const response = await request.get(url);
  expect(response.status()).toBe(200);
  return (await response.json()) as AggregatesBody;
}

/** Opens the table of numbers of a chart. @returns all its rows, as text */
export async function openNumbers(page: Page, caption: string): Promise<string[][]> {
  const chart = page.locator('.chart').filter({ hasText: caption }).first();
  await chart.locator('summary').click();
  const more = chart.getByRole('button', { name: /^Show/ });
  await expect(chart.locator('tbody tr').first()).toBeVisible();
  while ((await more.count()) > 0) await more.click();
  const rows = await chart.locator('tbody tr').all();
  return Promise.all(rows.map((row) => row.locator('th, td').allTextContents()));
}

/** The cells of a CSV file without quotes. */
export function csvCells(text: string): string[][] {
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

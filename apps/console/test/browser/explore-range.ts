import { expect } from '@playwright/test';
import type { Page } from '@playwright/test';

export interface ShownRange {
  from: number;
  to: number;
}

export async function openChart(page: Page, { device, from, to }: { device: string } & ShownRange) {
  const requests: string[] = [];
  const range = `from=${iso(from)}&to=${iso(to)}`;
  await page.goto(`/explore?device=${device}&field=temperature&${range}&zone=UTC`);
  await expect(page.locator('.chart canvas')).toHaveCount(1);
  await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
  await page.locator('.u-over').scrollIntoViewIfNeeded();
  page.on('request', (one) => {
    if (one.url().includes('/aggregates')) requests.push(one.url());
  });
  const plot = await page.locator('.u-over').boundingBox();
  if (plot === null) throw new Error('the plot is not drawn');
  return { plot, start: { from, to }, requests };
}

/** The range of the address, once it differs. */
export async function changedRange(page: Page, before: ShownRange): Promise<ShownRange> {
  await expect.poll(() => shownRange(page)).not.toEqual(before);
  return shownRange(page);
}

export async function shownRange(page: Page): Promise<ShownRange> {
  const query = new URL(String(await page.evaluate('location.href'))).searchParams;
  return { from: Date.parse(query.get('from') ?? ''), to: Date.parse(query.get('to') ?? '') };
}

export function lengthOf({ from, to }: ShownRange): number {
  return to - from;
}

export function iso(time: number): string {
  return new Date(time).toISOString();
}

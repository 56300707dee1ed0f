import { gzipSync } from 'node:zlib';
import { expect, test } from '@playwright/test';
import type { Response } from '@playwright/test';

/** The first page, in bytes after gzip (issue 23). */
const maxBytes = 120_000;

test(
  'the first page has at most 120 KB, and loads no file of other hosts',
  { tag: '@main' },
  async ({ page }) => {
    const responses: Response[] = [];
    page.on('response', (response) => responses.push(response));
    await page.goto('/house');
    await expect(page.locator('.device-row').first()).toBeVisible();
    const origin = new URL(page.url()).origin;
    expect(
      responses.map((one) => new URL(one.url()).origin).filter((one) => one !== origin),
    ).toEqual([]);
    const files = responses.filter((one) => !new URL(one.url()).pathname.startsWith('/api/'));
    const sizes = await Promise.all(
      files.map(async (one) => ({
        path: new URL(one.url()).pathname,
        bytes: gzipSync(await one.body()).length,
      })),
    );
    const total = sizes.reduce((sum, { bytes }) => sum + bytes, 0);
    process.stdout.write(`first page: ${total} bytes in ${sizes.length} files\n`);
    expect(sizes.length).toBeGreaterThan(2);
    expect(total).toBeLessThanOrEqual(maxBytes);
  },
);

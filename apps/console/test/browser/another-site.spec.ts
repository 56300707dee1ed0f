import { chromium, expect, test } from '@playwright/test';

/** Chromium in which the name of another site leads to this machine, as after DNS rebinding. */
const rules = '--host-resolver-rules=MAP rebound.example 127.0.0.1';

test('the page of another site reads and changes nothing', async ({ baseURL: base }) => {
  const baseURL = String(base);
  const browser = await chromium.launch({
    executablePath: String(process.env['CHROMIUM']),
    args: ['--no-sandbox', '--disable-dev-shm-usage', rules],
  });
  try {
    const page = await browser.newPage();
    const rebound = baseURL.replace('127.0.0.1', 'rebound.example');
    const answer = await page.goto(`${rebound}/house`);
    expect(answer?.status()).toBe(403);
    const read = (path: string) => `fetch('${path}').then(({ status }) => status)`;
    expect(await page.evaluate(read('/api/registry/v1/places'))).toBe(403);
    const id = `another-${Date.now()}`;
    const path = `/api/registry/v1/places/${id}`;
    expect(
      await page.evaluate(`fetch('${path}', { method: 'PUT' }).then(({ status }) => status)`),
    ).toBe(403);
  } finally {
    await browser.close();
  }
});

import { chromium, expect, test } from '@playwright/test';

/** Chromium in which the name of another site leads to this machine, as after DNS rebinding. */
const rules = '--host-resolver-rules=MAP rebound.example 127.0.0.1';

test('the page of another site reads and changes nothing', async ({ baseURL: base, request }) => {
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

    // A page of another origin sends a POST without asking, but does not see its response.
    const other = 'http://other.localhost/';
    const contentType = 'text/html';
    await page.route(other, (route) => route.fulfill({ contentType, body: '<p>other</p>' }));
    await page.goto(other);
    const target = `${baseURL}/api/ingestion/v1/readings`;
    const body = `'{"device":"${id}","value":1}'`;
    const answered = page.waitForResponse((response) => response.url() === target);
    const post = `fetch('${target}', { method: 'POST', mode: 'no-cors', body: ${body} })`;
    await Promise.all([answered, page.evaluate(`${post}.then(() => true)`)]);
    expect((await answered).status()).toBe(403);
    expect((await request.get(`${baseURL}/api/registry/v1/devices/${id}`)).status()).toBe(404);
  } finally {
    await browser.close();
  }
});

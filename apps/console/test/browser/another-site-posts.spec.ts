import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { chromium, expect, test } from '@playwright/test';
import type { Browser, Page } from '@playwright/test';
import { untilAccepted } from './requests.ts';

/** A name of another site for a server of this machine. */
const rules = '--host-resolver-rules=MAP another.example 127.0.0.1';
const ingestionUrl = process.env['INGESTION_URL'] ?? 'http://127.0.0.1:4001';

/** The ways in which a page can send a POST to another site without its consent (Fetch, "CORS-safelisted"). */
const senders = {
  'a form of plain text': form('text/plain'),
  'an ordinary form': form('application/x-www-form-urlencoded'),
  'fetch with no-cors': `({ url, name, value }) => {
    void fetch(url, { method: 'POST', mode: 'no-cors', body: name + '=' + value }).catch(() => undefined);
  }`,
};

/** As plain text, its body is `name=value`. */
function form(enctype: string): string {
  return `({ url, name, value }) => {
    const form = Object.assign(document.createElement('form'), {
      action: url, method: 'post', enctype: '${enctype}',
    });
    form.append(Object.assign(document.createElement('input'), { name, value }));
    document.body.append(form);
    form.submit();
  }`;
}

const server = createServer((_request, response) =>
  response.setHeader('content-type', 'text/html').end('<!doctype html><title>Another site</title>'),
);
let browser: Browser;
let port: number;
test.beforeAll(async () => {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  ({ port } = server.address() as AddressInfo);
  browser = await chromium.launch({
    executablePath: String(process.env['CHROMIUM']),
    args: ['--no-sandbox', '--disable-dev-shm-usage', rules],
  });
});
test.afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
});

/** The reading, as a form of plain text sends it: JSON in spite of its `=`. */
const readingOf = (device: string) => ({
  name: `{"device":"${device}","level":1,"note":"`,
  value: '"}',
});

/**
 * The statuses of the page's POSTs, also of responses that the page itself may not read. Chromium tells of a response
 * before its request at times.
 */
async function watchPosts(page: Page): Promise<() => number[]> {
  const session = await page.context().newCDPSession(page);
  const posts = new Set<string>();
  const responses = new Map<string, number>();
  session.on('Network.requestWillBeSent', ({ requestId, request }) => {
    if (request.method === 'POST') posts.add(requestId);
  });
  session.on('Network.responseReceivedExtraInfo', ({ requestId, statusCode }) => {
    responses.set(requestId, statusCode);
  });
  await session.send('Network.enable');
  return () => [...responses].flatMap(([id, status]) => (posts.has(id) ? [status] : []));
}

for (const host of ['another.example', '127.0.0.1']) {
  for (const [sender, script] of Object.entries(senders)) {
    test(`${sender} on a page of ${host} changes nothing`, async ({ baseURL, request }) => {
      const device = `posted-${Date.now()}`;
      for (const base of [`${baseURL}/api/ingestion`, ingestionUrl]) {
        const page = await browser.newPage();
        await page.goto(`http://${host}:${port}/`);
        const statuses = await watchPosts(page);
        const argument = { url: `${base}/v1/readings`, ...readingOf(device) };
        await page.evaluate(`(${script})(${JSON.stringify(argument)})`);
        await expect.poll(statuses).toEqual([403]);
        await page.close();
      }
      const found = await request.get(`${baseURL}/api/registry/v1/devices/${device}`);
      expect(found.status()).toBe(404);
    });
  }
}

test('the same body from a program is stored', async ({ baseURL, request }) => {
  const device = `posted-${Date.now()}`;
  const { name, value } = readingOf(device);
  const headers = { 'content-type': 'application/json' };
  const url = `${ingestionUrl}/v1/readings`;
  await untilAccepted(() => request.post(url, { headers, data: `${name}=${value}` }));
  await untilAccepted(() => request.get(`${baseURL}/api/registry/v1/devices/${device}`));
});

import { text } from 'node:stream/consumers';
import { closersAfterEach, freePort } from '@engawa/testing';
import { startConsole } from './start-console.ts';
import { startService } from './service.ts';
import type { IncomingMessage } from 'node:http';

const closers = closersAfterEach();

async function start(answer: Parameters<typeof startService>[0]) {
  const service = await startService(answer);
  const app = await startConsole({ REGISTRY_URL: service.url });
  closers.push(service.close, app.close);
  return app.url;
}

describe('requests to services', () => {
  it('pass on path, query, body, token and request id, and no cookie', async () => {
    let received: { request: IncomingMessage; body: string } | undefined;
    const url = await start((request, response) => {
      void text(request).then((body) => {
        received = { request, body };
        response.writeHead(201, { etag: '"1"', 'set-cookie': 'a=b', 'x-request-id': 'other' });
        response.end('{"ok":true}');
      });
    });
    const response = await fetch(`${url}/api/registry/v1/devices/a%2Fb?limit=5&name=%E5%B1%85`, {
      method: 'PUT',
      body: '{"name":"one"}',
      headers: {
        authorization: 'Bearer secret',
        cookie: 'session=1',
        'content-type': 'application/json',
        'if-match': '"7"',
        'x-request-id': 'mine',
      },
    });
    expect([response.status, await response.json()]).toEqual([201, { ok: true }]);
    expect(response.headers.get('etag')).toBe('"1"');
    expect(response.headers.get('set-cookie')).toBeNull();
    expect(received?.body).toBe('{"name":"one"}');
    expect(received?.request.method).toBe('PUT');
    expect(received?.request.url).toBe('/v1/devices/a%2Fb?limit=5&name=%E5%B1%85');
    expect(received?.request.headers).toMatchObject({
      authorization: 'Bearer secret',
      'content-type': 'application/json',
      'if-match': '"7"',
      'x-request-id': 'mine',
    });
    expect(received?.request.headers.cookie).toBeUndefined();
  });

  it.each([
    '/api/registry/metrics',
    '/api/registry/v1',
    '/api/registry/v1/../metrics',
    '/api/registry/v1/%2e%2E/metrics',
    '/api/registry//v1/places',
    '/api/other/v1/places',
    '/api/registry',
  ])('are not forwarded for %s', async (path) => {
    let requests = 0;
    const url = await start((_request, response) => {
      requests += 1;
      response.end();
    });
    // Not `fetch`, which resolves dot segments itself.
    const { status, body } = await rawGet(url, path);
    expect([status, JSON.parse(body)]).toMatchObject([404, { type: '/problems/route-not-found' }]);
    expect(requests).toBe(0);
  });

  it('fail with a problem where the service is unreachable', async () => {
    const app = await startConsole({ QUERY_URL: `http://127.0.0.1:${await freePort()}` });
    closers.push(app.close);
    const response = await fetch(`${app.url}/api/query/v1/latest`);
    expect([response.status, await response.json()]).toMatchObject([
      503,
      {
        type: '/problems/service-unreachable',
        detail: expect.stringContaining('query') as unknown,
      },
    ]);
  });

  it('fail where the service does not respond within the timeout', async () => {
    const service = await startService(() => undefined);
    const app = await startConsole({ QUERY_URL: service.url, FORWARD_TIMEOUT_MS: '50' });
    closers.push(service.close, app.close);
    expect((await fetch(`${app.url}/api/query/v1/latest`)).status).toBe(503);
  });

  it.each([
    ['cross-site', 403],
    ['same-site', 403],
    ['same-origin', 200],
  ])('that change something are answered from %s with %d', async (site, status) => {
    const url = await start((_request, response) => response.end('{}'));
    const headers = { 'sec-fetch-site': site };
    const response = await fetch(`${url}/api/registry/v1/places`, { method: 'POST', headers });
    expect(response.status).toBe(status);
    const { type } = (await response.json()) as { type?: string };
    expect(type).toBe(status === 403 ? '/problems/cross-site-request' : undefined);
  });
});

describe('the web app', () => {
  it('has one page for all paths, and assets that are cached for ever', async () => {
    const app = await startConsole();
    closers.push(app.close);
    const page = await fetch(`${app.url}/house?device=a`);
    expect(await page.text()).toContain('<title>Engawa</title>');
    expect(page.headers.get('cache-control')).toBe('no-cache');
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain("default-src 'none'");
    expect(policy).not.toContain('unsafe');
    const asset = await fetch(`${app.url}/assets/index-abc.js`);
    expect(asset.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect((await fetch(`${app.url}/assets/index-old.js`)).status).toBe(404);
  });

  it('learns how to authenticate', async () => {
    const app = await startConsole();
    closers.push(app.close);
    expect(await (await fetch(`${app.url}/api/session`)).json()).toEqual({ mode: 'none' });
  });
});

async function rawGet(url: string, path: string): Promise<{ status: number; body: string }> {
  const { request } = await import('node:http');
  const { hostname, port } = new URL(url);
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    request({ hostname, port, path }).on('response', resolve).on('error', reject).end();
  });
  return { status: response.statusCode ?? 0, body: await text(response) };
}

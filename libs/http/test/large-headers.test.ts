import { z } from 'zod';
import { openBeforeAll } from '@engawa/testing';
import { repeatedParameter } from '../src/request/repeated-parameter.ts';
import { route } from '../src/route/route.ts';
import { RawClient, head } from './raw-client.ts';
import { until } from './sample-app.ts';
import { startApp } from './start-app.ts';

const latest = route({
  method: 'get',
  path: '/v1/latest',
  operationId: 'latest',
  summary: 'Of several devices',
  query: z.strictObject({ device: repeatedParameter(z.string().max(128), { maximum: 100 }) }),
  responses: { 200: { description: 'How many', schema: z.strictObject({ devices: z.int() }) } },
  handle: ({ query }) => ({ status: 200, body: { devices: query.device.length } }),
});

const app = openBeforeAll(() => startApp({ routes: [latest] }));

/** A problem response, parsed from the socket. */
async function refusalOf(text: string) {
  const client = new RawClient(app.url).read().write(text);
  await until(() => client.isClosed);
  const [top = '', body = ''] = client.received.split('\r\n\r\n');
  client.close();
  return { top, body: JSON.parse(body) as { requestId: string } };
}

describe('the header section of a request', () => {
  it('may contain 100 devices with the longest ids, in Japanese', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `${'居'.repeat(125)}${100 + index}`);
    const query = ids.map((id) => `device=${encodeURIComponent(id)}`).join('&');
    const answer = await fetch(`${app.url}/v1/latest?${query}`, {
      headers: { authorization: `Bearer ${'x'.repeat(8000)}` },
    });
    expect([answer.status, await answer.json()]).toEqual([200, { devices: 100 }]);
  });

  it('above the maximum is rejected with a problem that names the remedy', async () => {
    const { top, body } = await refusalOf(head('GET', `/?${'x'.repeat(300_000)}`, {}));
    expect(top).toMatch(/^HTTP\/1\.1 431 Request Header Fields Too Large\r\n/);
    expect(top).toMatch(/\r\ncontent-type: application\/problem\+json\r\n/i);
    expect(top).toMatch(/\r\ncache-control: no-store\r\n/i);
    expect(top).toMatch(/\r\nconnection: close/i);
    expect(body).toMatchObject({
      type: '/problems/headers-too-large',
      status: 431,
      detail: expect.stringMatching(/\d+ bytes/) as unknown,
    });
    expect(top).toContain(body.requestId);
  });

  it('without Host, or with an unknown Expect, is rejected with a problem', async () => {
    const missing = await refusalOf(
      'GET /v1/latest?device=a HTTP/1.1\r\nConnection: close\r\n\r\n',
    );
    expect(missing.top).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    const type = '/problems/invalid-request';
    expect(missing.body).toMatchObject({ type, detail: 'The header Host is missing.' });
    const expecting = await refusalOf(head('GET', '/v1/latest?device=a', { Expect: 'patience' }));
    expect(expecting.top).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(expecting.body).toMatchObject({
      type,
      detail: expect.stringContaining('Expect: patience') as unknown,
    });
  });

  it('that is invalid is rejected with a problem', async () => {
    const { top, body } = await refusalOf('GET / HTTP/1.1\r\nbad header\r\n\r\n');
    expect(top).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(body).toMatchObject({ type: '/problems/invalid-request', status: 400 });
  });

  it('without an end is rejected with a problem', async () => {
    const hurried = await startApp({ routes: [latest], headersTimeoutMs: 50 });
    const client = new RawClient(hurried.url).read().write('GET / HTTP/1.1\r\nhost: ');
    await until(() => client.isClosed);
    expect(client.received).toMatch(/^HTTP\/1\.1 408 Request Timeout\r\n/);
    expect(client.received).toContain('"/problems/request-timeout"');
    await hurried.close();
  });

  it('causes no second response after one has begun', async () => {
    const client = new RawClient(app.url).read();
    client.write(head('GET', '/nothing', {}));
    await until(() => client.received.includes('requestId'));
    client.write('\u0000\r\n\r\n');
    await until(() => client.isClosed);
    expect(client.received.match(/HTTP\/1\.1 \d+/g)).toEqual(['HTTP/1.1 404', 'HTTP/1.1 400']);
  });
});

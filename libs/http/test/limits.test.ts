import { once } from 'node:events';
import { get } from 'node:http';
import { z } from 'zod';
import { expectResponse } from '../src/openapi/expect-response.ts';
import { route } from '../src/route/route.ts';
import { until } from './sample-app.ts';
import { startApp } from './start-app.ts';
import type { StartedApp } from './start-app.ts';
import type { RequestBudget } from '../src/route/request-budget.ts';
import type { OpenApiDocument } from '../src/openapi/openapi-types.ts';
import type { IncomingMessage } from 'node:http';

let app: StartedApp;
/** The first request is for this route. */
let contract: OpenApiDocument;
let waiting: { signal: AbortSignal; budget: RequestBudget }[];
let release: PromiseWithResolvers<unknown>;

const responses = { 200: { description: 'An answer', schema: z.strictObject({}) } };
const quick = route({
  method: 'get',
  path: '/v1/quick',
  operationId: 'quick',
  summary: 'Responds at once',
  responses,
  handle: () => ({ status: 200, body: {} }),
});

/** Ignores its budget and its signal. */
const slow = route({
  method: 'get',
  path: '/v1/slow',
  operationId: 'slow',
  summary: 'Waits for the test',
  responses,
  async handle({ signal, budget }) {
    waiting.push({ signal, budget });
    await release.promise;
    return { status: 200, body: {} };
  },
});

async function start(environment: Record<string, string>): Promise<void> {
  waiting = [];
  release = Promise.withResolvers();
  app = await startApp({ routes: [quick, slow], environment });
  contract = await app.contract();
}
afterEach(async () => {
  release.resolve(undefined);
  await app.close();
});

const ask = async (path: string, headers: Record<string, string> = {}) => {
  const answer = await fetch(app.url + path, { headers });
  const body = (await expectResponse(contract, answer)) as { type?: string; detail?: string };
  return { status: answer.status, headers: answer.headers, ...body };
};

describe('requests of one client', () => {
  it('have the number of remaining requests, and are rejected when none remains', async () => {
    await start({ RATE_LIMIT_PER_MINUTE: '4' });
    const first = await ask('/v1/quick');
    expect(first.headers.get('ratelimit-policy')).toMatch(/^"4-in-1min"; q=4; w=60; pk=/);
    expect(first.headers.get('ratelimit')).toMatch(/^"4-in-1min"; r=2; t=\d+$/);
    await ask('/v1/quick');
    await ask('/v1/quick');
    const refused = await ask('/v1/quick');
    expect(refused).toMatchObject({ status: 429, type: '/problems/rate-limited' });
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/; r=0; /);
    expect(refused.headers.get('x-request-id')).not.toBeNull();
    await until(async () => (await app.counted('unmatched', 429)) === 1);
  });

  it('count for its address, with any X-Forwarded-For', async () => {
    await start({ RATE_LIMIT_PER_MINUTE: '3' });
    await ask('/v1/quick', { 'x-forwarded-for': '192.0.2.1' });
    await ask('/v1/quick', { 'x-forwarded-for': '192.0.2.2', forwarded: 'for=192.0.2.2' });
    expect(await ask('/v1/quick', { 'x-forwarded-for': '192.0.2.3' })).toMatchObject({
      status: 429,
    });
  });

  it('count for the address from a trusted proxy, with all addresses of a /64 together', async () => {
    await start({ RATE_LIMIT_PER_MINUTE: '2', TRUSTED_PROXIES: '1' });
    let forged = 0;
    const from = async (address: string) =>
      (await ask('/v1/quick', { 'x-forwarded-for': `203.0.113.${(forged += 1)}, ${address}` }))
        .status;
    expect([await from('192.0.2.1'), await from('192.0.2.1'), await from('192.0.2.1')]).toEqual([
      200, 200, 429,
    ]);
    expect(await from('192.0.2.2')).toBe(200);
    expect([
      await from('2001:db8:0:1::1'),
      await from('2001:db8:0:1:ffff::2'),
      await from('2001:db8:0:1::3'),
    ]).toEqual([200, 200, 429]);
    expect(await from('2001:db8:0:2::1')).toBe(200);
  });

  it('are unlimited with a limit of 0', async () => {
    await start({ RATE_LIMIT_PER_MINUTE: '0' });
    const { headers } = await ask('/v1/quick');
    expect(headers.get('ratelimit')).toBeNull();
    const { responses } = contract.paths['/v1/quick']?.['get'] ?? {};
    expect(responses?.['429']?.description).not.toContain('rate-limited');
  });
});

describe('concurrent requests', () => {
  it('are rejected above the limit, and accepted again below it', async () => {
    await start({ MAX_REQUESTS_IN_FLIGHT: '2' });
    const running = [ask('/v1/slow'), ask('/v1/slow')];
    await until(() => waiting.length === 2);
    for (const path of ['/v1/quick', '/v1/slow', '/v1/quick']) {
      const refused = await ask(path);
      expect(refused).toMatchObject({ status: 503, type: '/problems/overloaded' });
      expect(refused.headers.get('retry-after')).toBe('1');
    }
    expect(app.lines.filter(({ level }) => level >= 40)).toHaveLength(1);
    release.resolve(undefined);
    expect((await Promise.all(running)).map(({ status }) => status)).toEqual([200, 200]);
    expect(await ask('/v1/quick')).toMatchObject({ status: 200 });
    await until(async () => (await app.counted('unmatched', 503)) === 3);
  });

  it('end when the client disconnects', async () => {
    await start({ MAX_REQUESTS_IN_FLIGHT: '1' });
    const client = get(`${app.url}/v1/slow`).on('error', () => undefined);
    await until(() => waiting.length === 1);
    expect(await ask('/v1/quick')).toMatchObject({ status: 503 });
    client.destroy();
    await until(async () => (await fetch(`${app.url}/v1/quick`)).status === 200);
  });
});

describe('a slow response', () => {
  it('is aborted, with its signal', async () => {
    await start({ REQUEST_DEADLINE_MS: '20' });
    const refused = await ask('/v1/slow');
    expect(refused).toMatchObject({ status: 503, type: '/problems/deadline-exceeded' });
    expect(refused.headers.get('retry-after')).toBe('2');
    expect(waiting[0]?.signal.reason).toMatchObject({ code: 'deadline-exceeded' });
    expect(waiting[0]?.budget.isSpent).toBe(true);
    await until(async () => (await app.counted('/v1/slow', 503)) === 1);
    expect(await app.counted('/v1/slow', 499)).toBe(0);
    // The result of the aborted work is ignored.
    release.reject(new Error('too late'));
    expect(await ask('/v1/quick')).toMatchObject({ status: 200 });
    expect(app.lines.map(({ msg }) => msg)).not.toContain('request failed');
  });

  it('is one that exceeds the configured units', async () => {
    await start({ REQUEST_UNIT_LIMIT: '10' });
    const [answer] = (await Promise.all([
      once(get(`${app.url}/v1/slow`), 'response'),
      until(() => waiting.length === 1).then(() => {
        const { budget } = waiting[0] ?? {};
        budget?.charge(9.5);
        expect(budget?.isSpent).toBe(false);
        budget?.charge(0.5);
        expect([budget?.isSpent, budget?.renew().isSpent]).toEqual([true, false]);
        release.resolve(undefined);
      }),
    ])) as [[IncomingMessage], unknown];
    answer[0].resume();
    expect(answer[0].statusCode).toBe(200);
  });
});

import { request as requestHttp } from 'node:http';
import { z } from 'zod';
import { closersAfterEach } from '@engawa/testing';
import { isKnownHost } from '../src/guards/known-hosts.ts';
import { route } from '../src/route/route.ts';
import { startApp } from './start-app.ts';
import type { IncomingMessage, OutgoingHttpHeaders } from 'node:http';

const closers = closersAfterEach();

let changes = 0;
const routes = (['get', 'post'] as const).map((method) =>
  route({
    method,
    path: '/v1/things',
    operationId: `${method}Things`,
    summary: 'Changes something',
    responses: { 200: { description: 'Yes', schema: z.strictObject({}) } },
    handle: () => {
      changes += 1;
      return { status: 200, body: {} };
    },
  }),
);

async function send(
  headers: OutgoingHttpHeaders,
  { method = 'GET', environment = {} }: { method?: string; environment?: object } = {},
): Promise<number | undefined> {
  const app = await startApp({ routes, environment: { ...environment } });
  closers.push(() => app.close());
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  requestHttp(`${app.url}/v1/things`, { method, headers }, resolve).on('error', reject).end();
  const response = await promise;
  response.resume();
  return response.statusCode;
}

describe('without authentication', () => {
  it.each([
    ['rebound.example:4003', 403],
    ['engawa.example', 200],
    ['a.home.example', 200],
    ['peer.example', 200],
    ['127.0.0.1:1', 200],
    ['engawa-query:8080', 200],
  ])('a request for the host %s is answered with %d', async (host, status) => {
    const environment = {
      ALLOWED_HOSTS: 'Engawa.example, *.home.example',
      HOT_PARTITION_PEERS: 'http://peer.example:8080',
    };
    expect(await send({ host }, { environment })).toBe(status);
  });

  it('any host is answered where the operator says so', async () => {
    const environment = { ALLOWED_HOSTS: '*' };
    expect(await send({ host: 'rebound.example' }, { environment })).toBe(200);
  });

  it.each([
    [{ 'sec-fetch-site': 'cross-site' }, 403],
    [{ 'sec-fetch-site': 'same-site' }, 403],
    [{ 'sec-fetch-site': 'same-origin', origin: 'https://behind.example' }, 200],
    [{ origin: 'http://other.example' }, 403],
    [{ origin: 'null' }, 403],
    [{ host: '127.0.0.1:80', origin: 'http://127.0.0.1:80' }, 200],
    [{ 'x-forwarded-host': 'engawa.example', origin: 'https://engawa.example' }, 200],
    [{}, 200],
  ])('a change with %p is answered with %d', async (headers, status) => {
    const before = changes;
    expect(await send(headers, { method: 'POST' })).toBe(status);
    expect(changes - before).toBe(status === 200 ? 1 : 0);
  });
});

it('with tokens, any host is answered: another site has none', async () => {
  const jwt = { AUTH_MODE: 'jwt', AUTH_ISSUER: 'https://issuer.example', AUTH_AUDIENCE: 'engawa' };
  expect(await send({ host: 'rebound.example' }, { environment: jwt })).toBe(401);
});

it.each([
  ['[::1]:4000', true],
  ['10.1.2.3', true],
  ['localhost:4000', true],
  ['app.localhost', true],
  ['LOCALHOST.', true],
  ['engawa-query.homes.svc', true],
  ['engawa-query.homes.svc.cluster.local:8080', true],
  ['engawa-query.homes', false],
  ['127.0.0.1.example', false],
  ['localhost.example', false],
  ['evil.example:80:80', false],
  ['', false],
])('the host %p is known without settings: %p', (host, isKnown) => {
  expect(isKnownHost(host, [])).toBe(isKnown);
});

import { itOnLinux, loopbackReason, TokenIssuer } from '@engawa/testing';
import { z } from 'zod';
import { route } from '../src/route/route.ts';
import { RawClient, head } from './raw-client.ts';
import { until } from './sample-app.ts';
import { startApp } from './start-app.ts';
import type { StartedApp } from './start-app.ts';

const change = route({
  method: 'patch',
  path: '/v1/things',
  operationId: 'change',
  summary: 'Reads a complete body',
  body: z.strictObject({}),
  responses: { 200: { description: 'An answer', schema: z.strictObject({}) } },
  handle: () => ({ status: 200, body: {} }),
});

const maximum = 32;
/** The share of a single client: two thirds. */
const share = 22;

let app: StartedApp;
let clients: RawClient[] = [];
afterEach(async () => {
  for (const client of clients) client.close();
  clients = [];
  await app.close();
});

/** Starts requests with endless bodies as one client, until further ones are rejected. */
async function fill(
  headers: Record<string, string>,
  localAddress: string,
  expected = share,
): Promise<RawClient[]> {
  const begun = Array.from({ length: 2 * maximum }, () => {
    const more = { ...headers, 'content-type': 'application/json', 'content-length': '9' };
    return new RawClient(app.url, localAddress).read().write(head('PATCH', '/v1/things', more));
  });
  clients.push(...begun);
  const refused = () => begun.filter(({ received }) => received !== '');
  await until(() => refused().length >= begun.length - expected);
  return refused();
}

async function ask(headers: Record<string, string>, localAddress: string): Promise<string> {
  const client = new RawClient(app.url, localAddress).read();
  clients.push(client);
  const more = { ...headers, 'content-type': 'application/json', 'content-length': '2' };
  client.write(head('PATCH', '/v1/things', more), '{}');
  await until(() => client.received.includes('\r\n\r\n'));
  return client.received;
}

describe('a client with its maximum of requests in flight', () => {
  itOnLinux(loopbackReason, 'leaves slots for another address', async () => {
    app = await startApp({
      routes: [change],
      environment: { MAX_REQUESTS_IN_FLIGHT: String(maximum) },
    });
    const refused = await fill({}, '127.0.0.1');
    expect(refused).toHaveLength(2 * maximum - share);
    for (const { received } of refused) {
      expect(received).toMatch(/^HTTP\/1\.1 429 /);
      expect(received).toContain('"/problems/too-many-at-once"');
      expect(received).toMatch(/\r\nretry-after: 1\r\n/i);
    }
    expect(await ask({}, '127.0.0.2')).toMatch(/^HTTP\/1\.1 200 /);
    expect(await ask({}, '127.0.0.1')).toMatch(/^HTTP\/1\.1 429 /);
  });

  itOnLinux(loopbackReason, 'leaves, together with another one, slots for a third', async () => {
    app = await startApp({
      routes: [change],
      environment: { MAX_REQUESTS_IN_FLIGHT: String(maximum) },
    });
    await fill({}, '127.0.0.1');
    await fill({}, '127.0.0.2', 7); // two thirds of the remaining slots
    expect(await ask({}, '127.0.0.9')).toMatch(/^HTTP\/1\.1 200 /);
  });

  it('leaves slots for another subject at the same address', async () => {
    const issuer = await TokenIssuer.start();
    app = await startApp({
      routes: [change],
      environment: { MAX_REQUESTS_IN_FLIGHT: String(maximum), ...issuer.environment },
    });
    const as = async (sub: string) => ({
      authorization: `Bearer ${await issuer.token({ sub, scope: 'sample:write' })}`,
    });
    await fill(await as('greedy'), '127.0.0.1');
    expect(await ask(await as('other'), '127.0.0.1')).toMatch(/^HTTP\/1\.1 200 /);
    await issuer.close();
  });
});

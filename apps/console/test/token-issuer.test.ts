import { Readiness } from '@engawa/service';
import { closersAfterEach, freePort, TokenIssuer, until } from '@engawa/testing';
import { Issuer } from '../src/session/issuer.ts';
import { requireIssuer } from '../src/session/require-issuer.ts';
import { startConsole } from './start-console.ts';

const closers = closersAfterEach();

async function start(environment: Record<string, string>): Promise<string> {
  const app = await startConsole({ AUTH_MODE: 'jwt', AUTH_CLIENT_ID: 'console', ...environment });
  closers.push(app.close);
  return app.url;
}

const nobody = async () => ({ AUTH_ISSUER: `http://127.0.0.1:${await freePort()}` });

function renew(url: string): Promise<Response> {
  return fetch(`${url}/api/session/token`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ grantType: 'refresh_token', refreshToken: 'secret' }),
  });
}

it('an issuer that does not respond is a problem of its own, not of its signing keys', async () => {
  const response = await renew(await start(await nobody()));
  expect(response.status).toBe(503);
  expect(response.headers.get('retry-after')).toBe('2');
  expect(await response.json()).toMatchObject({ type: '/problems/issuer-unavailable' });
});

it('the page learns why there is no sign-in', async () => {
  const url = await start(await nobody());
  const session = (await (await fetch(`${url}/api/session`)).json()) as { issuerProblem: string };
  expect(session.issuerProblem).toMatch(/^The token issuer does not answer/);
  const wrong = await TokenIssuer.start();
  closers.push(() => wrong.close());
  const other = await start({ AUTH_ISSUER: `${wrong.url}/realm` });
  expect(await (await fetch(`${other}/api/session`)).json()).toMatchObject({
    issuerProblem: expect.stringContaining('status 404') as unknown,
  });
});

it('the page learns the audience and where the session of the issuer ends', async () => {
  const issuer = await TokenIssuer.start();
  closers.push(() => issuer.close());
  const url = await start({
    AUTH_ISSUER: issuer.url,
    AUTH_CLIENT_AUDIENCE: 'https://engawa.example',
  });
  expect(await (await fetch(`${url}/api/session`)).json()).toMatchObject({
    audience: 'https://engawa.example',
    endSessionUrl: `${issuer.url}/logout`,
  });
});

it('a rollout with a wrong issuer stops, and a later outage does not matter', async () => {
  const issuer = await TokenIssuer.start();
  closers.push(() => issuer.close());
  const closing = new AbortController();
  closers.push(() => closing.abort());
  const stateOf = (url: string) => {
    const readiness = new Readiness();
    const started = new Issuer(url, () => performance.now());
    requireIssuer(started, { readiness, signal: closing.signal });
    return () => readiness.unavailableReasons()[0];
  };
  const wrong = stateOf(`${issuer.url}/wrong`);
  await until('the answer', () => wrong()?.reason.includes('status 404'));
  expect(wrong()).toMatchObject({ name: 'issuer', blocks: true });
  const right = stateOf(issuer.url);
  await until('the issuer', () => right() === undefined);
  await issuer.close();
  expect(right()).toBeUndefined();
});

it('requests for tokens are limited per client, so that no page floods the issuer', async () => {
  const issuer = await TokenIssuer.start();
  closers.push(() => issuer.close());
  const url = await start({ AUTH_ISSUER: issuer.url });
  // A response of 429 would need 300 requests within a minute, which a busy machine does not send.
  const { headers } = await renew(url);
  expect(headers.get('ratelimit-policy')).toContain('q=300; w=60');
  expect(headers.get('ratelimit')).toContain('r=299');
});

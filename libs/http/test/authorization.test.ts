import { createHmac, createPublicKey } from 'node:crypto';
import { openBeforeAll, signingKey } from '@engawa/testing';
import { base64url } from 'jose';
import { GuardedApp } from './guarded-app.ts';

const guarded = openBeforeAll(() => GuardedApp.start());

const now = () => Math.floor(Date.now() / 1000);
const scope = 'sample:read';
const encoded = (value: unknown) => base64url.encode(JSON.stringify(value));

/** Made when the test runs: a machine may need longer than the clock tolerance to get there. */
type Claims = () => Record<string, unknown>;

/** An unsigned token, with an arbitrary algorithm in its header. */
function forged(header: object, sign: (text: string) => string): string {
  const { url } = guarded.issuer;
  const claims = { iss: url, aud: 'engawa', sub: 'forger', exp: now() + 300, scope };
  const text = `${encoded(header)}.${encoded(claims)}`;
  return `Bearer ${text}.${sign(text)}`;
}

describe('a token', () => {
  const taken: [string, Claims][] = [
    ['that is valid', () => ({ scope })],
    ['for several services', () => ({ aud: ['other', 'engawa'], scope: `other:admin ${scope}` })],
    ['with scp as a list', () => ({ scp: ['x', scope] })],
    ['with scp as a text', () => ({ scp: scope })],
    ['that has just expired, within the clock tolerance', () => ({ scope, exp: now() - 1 })],
  ];
  it.each(taken)('%s is taken', async (_what, claims) => {
    const token = await guarded.issuer.token(claims());
    expect(await guarded.ask(`Bearer ${token}`)).toMatchObject({ status: 200 });
    expect(await guarded.ask(`bearer ${token}`)).toMatchObject({ status: 200 });
  });

  const refused: [string, Claims, string][] = [
    ['for another audience', () => ({ aud: 'other' }), '`aud`'],
    ['without an audience', () => ({ aud: undefined }), '`aud`'],
    ['of another issuer', () => ({ iss: 'http://127.0.0.1:1' }), '`iss`'],
    ['of no issuer', () => ({ iss: undefined }), '`iss`'],
    ['that has expired', () => ({ exp: now() - 60 }), 'expired'],
    ['that never expires', () => ({ exp: undefined }), '`exp`'],
    ['with a text as expiry', () => ({ exp: 'never' }), '`exp`'],
    ['that is not valid yet', () => ({ nbf: now() + 60 }), '`nbf`'],
  ];
  it.each(refused)('%s is refused', async (_what, claims, detail) => {
    const token = await guarded.issuer.token({ scope, ...claims() });
    expect(await guarded.ask(`Bearer ${token}`)).toEqual({
      status: 401,
      type: '/problems/unauthenticated',
      detail: expect.stringContaining(detail) as unknown,
      challenge: 'Bearer error="invalid_token"',
      left: expect.any(String) as unknown,
    });
  });

  it('is required', async () => {
    const answer = await guarded.ask('');
    expect(answer).toMatchObject({ status: 401, type: '/problems/unauthenticated' });
    expect(answer.challenge).toBe('Bearer'); // RFC 6750 section 3.1: no error code without credentials
  });

  it.each(['garbage', 'Basic dXNlcjpwYXNz', 'Bearer', 'Bearer a b', 'Bearer é', 'Bearer ..'])(
    'is not %j',
    async (authorization) => {
      const answer = await guarded.ask(authorization);
      expect(answer).toMatchObject({ status: 401, challenge: 'Bearer error="invalid_token"' });
    },
  );

  it('of more than 8 KB is not read', async () => {
    const token = await guarded.issuer.token({ scope, padding: 'x'.repeat(7000) });
    const answer = await guarded.ask(`Bearer ${token}`);
    expect(token.length).toBeGreaterThan(8192);
    expect(answer).toMatchObject({
      status: 401,
      detail: expect.stringContaining('8192') as unknown,
    });
  });

  it('without a signature is rejected', async () => {
    for (const alg of ['none', 'None', 'NONE']) {
      expect(await guarded.ask(forged({ alg }, () => ''))).toMatchObject({ status: 401 });
    }
  });

  it('signed with the public key as a secret is rejected', async () => {
    const { published, keyId } = guarded.issuer.key;
    const key = createPublicKey({ key: published, format: 'jwk' });
    const pem = key.export({ type: 'spki', format: 'pem' });
    const sign = (text: string) => createHmac('sha256', pem).update(text).digest('base64url');
    const answer = await guarded.ask(forged({ alg: 'HS256', kid: keyId }, sign));
    expect(answer).toMatchObject({
      status: 401,
      detail: expect.stringContaining('algorithm') as unknown,
    });
  });

  it('signed with another key of the same id is rejected', async () => {
    const token = await guarded.issuer.token({ scope }, await signingKey(guarded.issuer.key.keyId));
    expect(await guarded.ask(`Bearer ${token}`)).toMatchObject({ status: 401 });
  });

  it('with changed claims is rejected', async () => {
    const [head, , signature] = (await guarded.issuer.token({ scope })).split('.');
    const forgery = forged({}, () => String(signature)).split('.');
    forgery[0] = `Bearer ${head}`;
    expect(await guarded.ask(forgery.join('.'))).toMatchObject({ status: 401 });
  });

  it('is never logged', async () => {
    const token = await guarded.issuer.token({ aud: 'other', email: 'somebody@example.com' });
    await guarded.ask(`Bearer ${token}`);
    const log = JSON.stringify(guarded.app.lines);
    expect(log).toContain('`aud`');
    expect(log).not.toContain(token.slice(0, 20));
    expect(log).not.toContain('somebody@example.com');
  });
});

describe('an algorithm', () => {
  it('outside of AUTH_ALGORITHMS is rejected, though the issuer has a key for it', async () => {
    const more = await GuardedApp.start();
    more.issuer.useKeys(await signingKey('key-512', 'ES384'));
    expect(await more.ask()).toMatchObject({ status: 401 });
    await more.close();
  });

  it('in AUTH_ALGORITHMS is accepted', async () => {
    for (const algorithm of ['RS256', 'PS256', 'ES384', 'EdDSA']) {
      const more = await GuardedApp.start({ environment: { AUTH_ALGORITHMS: algorithm } });
      more.issuer.useKeys(await signingKey('own', algorithm));
      expect(await more.ask()).toMatchObject({ status: 200 });
      await more.close();
    }
  });
});

describe('a scope', () => {
  const operations = [
    { method: 'GET' },
    { method: 'POST', path: '/v1/questions' },
    { method: 'PUT' },
    { method: 'DELETE' },
    { method: 'GET', path: '/v1/table' },
  ];
  it.each([
    ['sample:read', [200, 200, 403, 403, 403]],
    ['sample:write', [200, 200, 200, 403, 403]],
    ['sample:admin', [200, 200, 200, 200, 403]],
    ['sample:table', [403, 403, 403, 403, 200]],
    ['sample:read sample:table', [200, 200, 403, 403, 200]],
    ['other:admin sample:reader read SAMPLE:READ', [403, 403, 403, 403, 403]],
    [undefined, [403, 403, 403, 403, 403]],
  ])('%s allows the routes of its scope', async (given, statuses) => {
    const token = `Bearer ${await guarded.issuer.token({ scope: given })}`;
    const answers = await Promise.all(operations.map((what) => guarded.ask(token, what)));
    expect(answers.map(({ status }) => status)).toEqual(statuses);
  });

  it('that is missing is named in the problem', async () => {
    const answer = await guarded.ask(undefined, { method: 'PUT' });
    expect(answer).toMatchObject({
      type: '/problems/forbidden',
      detail: expect.stringContaining('sample:write') as unknown,
      challenge: 'Bearer error="insufficient_scope", scope="sample:write"',
    });
  });

  it('is not required for documentation routes', async () => {
    const paths = ['/openapi.json', '/docs', '/docs/start.js', '/problems/forbidden'];
    for (const path of paths) {
      expect((await fetch(guarded.app.url + path)).status).toBe(200);
    }
  });

  it('is in the OpenAPI document, with the problems', async () => {
    const { paths, components } = await guarded.app.contract();
    expect(components.securitySchemes).toEqual({
      bearer: { type: 'http', scheme: 'bearer', bearerFormat: 'JWT' },
    });
    const { security, responses } = paths['/v1/things']?.['put'] ?? {};
    expect(security).toEqual([{ bearer: ['sample:write'] }]);
    expect(Object.keys(responses ?? {})).toEqual([
      '200',
      '400',
      '401',
      '403',
      '405',
      '429',
      '431',
      '500',
      '503',
    ]);
    expect(paths['/problems/{code}']?.['get']?.security).toBeUndefined();
  });
});

describe('the rate limit', () => {
  it("counts requests by the token's subject, otherwise by address", async () => {
    const more = await GuardedApp.start({ environment: { RATE_LIMIT_PER_MINUTE: '10' } });
    const as = async (sub?: string) => `Bearer ${await more.issuer.token({ sub, scope })}`;
    expect(await more.ask(await as('a'))).toMatchObject({ left: '9' });
    expect(await more.ask(await as('a'))).toMatchObject({ left: '8' });
    expect(await more.ask(await as('b'))).toMatchObject({ left: '9' });
    expect(await more.ask('Bearer garbage')).toMatchObject({ status: 401, left: '9' });
    expect(await more.ask('')).toMatchObject({ status: 401, left: '8' });
    expect(await more.ask(await as(undefined))).toMatchObject({ status: 200, left: '7' });
    await more.close();
  });
});

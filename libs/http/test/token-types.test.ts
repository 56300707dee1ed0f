import { signingKey } from '@engawa/testing';
import { GuardedApp } from './guarded-app.ts';

const claims = { scope: 'sample:read' };

let guarded: GuardedApp;
afterEach(() => guarded.close());

/** The response to a token with this `typ` in its header; undefined omits it. */
async function answerTo(typ: string | undefined) {
  const { issuer } = guarded;
  return guarded.ask(`Bearer ${await issuer.token(claims, issuer.key, { typ })}`);
}

describe('the type of a token', () => {
  it('must be that of an access token (RFC 9068 section 4), so that an ID token is rejected', async () => {
    guarded = await GuardedApp.start();
    for (const typ of ['at+jwt', 'AT+JWT', 'application/at+jwt']) {
      expect(await answerTo(typ)).toMatchObject({ status: 200 });
    }
    for (const typ of ['JWT', 'logout+jwt', '', undefined]) {
      expect(await answerTo(typ)).toMatchObject({
        status: 401,
        detail: expect.stringMatching(/`typ`.*AUTH_TOKEN_TYPES/) as unknown,
      });
    }
  });

  it('may be configured otherwise, or as absent', async () => {
    guarded = await GuardedApp.start({ environment: { AUTH_TOKEN_TYPES: 'JWT,none' } });
    expect(await answerTo('JWT')).toMatchObject({ status: 200 });
    expect(await answerTo(undefined)).toMatchObject({ status: 200 });
    expect(await answerTo('at+jwt')).toMatchObject({ status: 401 });
    expect(await answerTo('none')).toMatchObject({ status: 401 });
  });
});

describe('a token without a key id', () => {
  it('is checked with each key of its algorithm', async () => {
    guarded = await GuardedApp.start();
    const { issuer } = guarded;
    const [first, second] = [issuer.key, await signingKey('key-2')];
    issuer.useKeys(first, second);
    const unnamed = (key: typeof first) => issuer.token(claims, key, { kid: undefined });
    for (const key of [first, second]) {
      expect(await guarded.ask(`Bearer ${await unnamed(key)}`)).toMatchObject({ status: 200 });
    }
    const foreign = await unnamed(await signingKey('key-3'));
    expect(await guarded.ask(`Bearer ${foreign}`)).toMatchObject({
      status: 401,
      detail: 'The token is not a valid token of the configured issuer.',
    });
    const expired = await issuer.token({ ...claims, exp: 1 }, second, { kid: undefined });
    expect(await guarded.ask(`Bearer ${expired}`)).toMatchObject({
      detail: 'The token has expired.',
    });
  });
});

import { signingKey } from '@engawa/testing';
import { GuardedApp } from './guarded-app.ts';
import { until } from './sample-app.ts';

const hour = 3_600_000;

let guarded: GuardedApp | undefined;
afterEach(() => guarded?.close());

async function start(options: Parameters<typeof GuardedApp.start>[0] = {}): Promise<GuardedApp> {
  guarded = await GuardedApp.start(options);
  return guarded;
}

/** A token with a key that the issuer does not have. */
async function withUnknownKey({ issuer }: GuardedApp): Promise<string> {
  const token = await issuer.token({ scope: 'sample:read' }, await signingKey('hostile'));
  return `Bearer ${token}`;
}

describe('the keys of the issuer', () => {
  it('are fetched once for concurrent requests, and not before the first one', async () => {
    const app = await start();
    expect(app.issuer.keyRequests).toBe(0);
    const answers = await Promise.all([app.ask(), app.ask(), app.ask()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await app.ask()).status).toBe(200);
    expect(app.issuer.keyRequests).toBe(1);
  });

  it("are at the configured URL, without a request for the issuer's configuration", async () => {
    const issuer = 'http://127.0.0.1:9/not-there';
    const app = await start();
    const more = await GuardedApp.start({
      environment: { AUTH_ISSUER: issuer, AUTH_JWKS_URL: app.issuer.keysUrl },
    });
    const token = await app.issuer.token({ iss: issuer, scope: 'sample:read' });
    expect(await more.ask(`Bearer ${token}`)).toMatchObject({ status: 200 });
    await more.close();
  });

  it('are rejected from an issuer with another name in its configuration', async () => {
    const app = await start();
    const more = await GuardedApp.start({ environment: { AUTH_ISSUER: `${app.issuer.url}/` } });
    const token = await app.issuer.token({ iss: `${app.issuer.url}/`, scope: 'sample:read' });
    expect(await more.ask(`Bearer ${token}`)).toMatchObject({ status: 503 });
    expect(JSON.stringify(more.app.lines)).toContain('belongs to the issuer');
    await more.close();
  });

  it('cause a 503 while they are unavailable from the start, until they become available', async () => {
    const app = await start({ keyTimes: { retryDelayMs: 20 } });
    const token = `Bearer ${await app.issuer.token({ scope: 'sample:read' })}`;
    await app.issuer.close();
    const refused = await app.ask(token);
    expect(refused).toMatchObject({ status: 503, type: '/problems/keys-unavailable' });
    expect(refused.challenge).toBeNull();
    await app.issuer.resume();
    await until(async () => (await app.ask(token)).status === 200);
  });

  it('are not requested again soon after a failure, which is logged once', async () => {
    const app = await start({ keyTimes: { retryDelayMs: hour } });
    const token = `Bearer ${await app.issuer.token({ scope: 'sample:read' })}`;
    await app.issuer.close();
    expect(await app.ask(token)).toMatchObject({ status: 503 });
    await app.issuer.resume();
    expect(await app.ask(token)).toMatchObject({ status: 503 });
    expect(app.issuer.keyRequests).toBe(0);
    expect(app.app.lines.filter(({ level }) => level >= 40)).toHaveLength(1);
  });

  it('stay in use at any age while the issuer is unavailable', async () => {
    const app = await start({ keyTimes: { maxAgeMs: 0, retryDelayMs: 0 } });
    expect(await app.ask()).toMatchObject({ status: 200 });
    await app.issuer.close();
    const warnings = () => app.app.lines.filter(({ level }) => level === 40).length;
    await until(async () => (await app.ask()).status === 200 && warnings() > 2);
    // A token with an unknown key may be valid: only the issuer can tell.
    expect(await app.ask(await withUnknownKey(app))).toMatchObject({ status: 503 });
    expect(await app.ask()).toMatchObject({ status: 200 });
  });

  it('are refreshed at intervals, so that a withdrawn key expires', async () => {
    const app = await start({ keyTimes: { maxAgeMs: 0 } });
    const token = `Bearer ${await app.issuer.token({ scope: 'sample:read' })}`;
    expect(await app.ask(token)).toMatchObject({ status: 200 });
    app.issuer.useKeys(await signingKey('key-2'));
    await until(async () => (await app.ask(token)).status === 401);
  });
});

describe('a new key of the issuer', () => {
  it('is used at once, for all concurrent requests', async () => {
    const app = await start();
    expect(await app.ask()).toMatchObject({ status: 200 });
    app.issuer.useKeys(await signingKey('key-2'));
    const answers = await Promise.all([app.ask(), app.ask(), app.ask(), app.ask()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(app.issuer.keyRequests).toBe(2);
  });

  it('cannot be invented to cause requests to the issuer', async () => {
    const app = await start();
    expect(await app.ask()).toMatchObject({ status: 200 });
    const hostile = await withUnknownKey(app);
    for (let times = 0; times < 20; times += 1) {
      expect(await app.ask(hostile)).toMatchObject({ status: 401 });
    }
    expect(app.issuer.keyRequests).toBe(2);
    expect(await app.ask()).toMatchObject({ status: 200 });
  });

  it('causes a 503 while the issuer is unavailable', async () => {
    const app = await start();
    expect(await app.ask()).toMatchObject({ status: 200 });
    const unknown = await withUnknownKey(app);
    await app.issuer.close();
    expect(await app.ask(unknown)).toMatchObject({ status: 503 });
    expect(await app.ask(unknown)).toMatchObject({ status: 503 });
  });

  it('is requested again after a while', async () => {
    const app = await start({ keyTimes: { minRefetchIntervalMs: 50 } });
    expect(await app.ask()).toMatchObject({ status: 200 });
    expect(await app.ask(await withUnknownKey(app))).toMatchObject({ status: 401 });
    app.issuer.useKeys(await signingKey('key-2'));
    await until(async () => (await app.ask()).status === 200);
  });
});

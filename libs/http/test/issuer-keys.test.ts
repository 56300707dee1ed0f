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
  it('are fetched once, for all who ask at once, and not before somebody asks', async () => {
    const app = await start();
    expect(app.issuer.keyRequests).toBe(0);
    const answers = await Promise.all([app.ask(), app.ask(), app.ask()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
    expect((await app.ask()).status).toBe(200);
    expect(app.issuer.keyRequests).toBe(1);
  });

  it('are where a setting says, without asking for a configuration', async () => {
    const issuer = 'http://127.0.0.1:9/not-there';
    const app = await start();
    const more = await GuardedApp.start({
      environment: { AUTH_ISSUER: issuer, AUTH_JWKS_URL: app.issuer.keysUrl },
    });
    const token = await app.issuer.token({ iss: issuer, scope: 'sample:read' });
    expect(await more.ask(`Bearer ${token}`)).toMatchObject({ status: 200 });
    await more.close();
  });

  it('are not those of an issuer that is another than it says', async () => {
    const app = await start();
    const more = await GuardedApp.start({ environment: { AUTH_ISSUER: `${app.issuer.url}/` } });
    const token = await app.issuer.token({ iss: `${app.issuer.url}/`, scope: 'sample:read' });
    expect(await more.ask(`Bearer ${token}`)).toMatchObject({ status: 503 });
    expect(JSON.stringify(more.app.lines)).toContain('belongs to the issuer');
    await more.close();
  });

  it('out of reach from the beginning make a 503, until they can be had', async () => {
    const app = await start({ keyTimes: { retryDelayMs: 20 } });
    const token = `Bearer ${await app.issuer.token({ scope: 'sample:read' })}`;
    await app.issuer.close();
    const refused = await app.ask(token);
    expect(refused).toMatchObject({ status: 503, type: '/problems/keys-unavailable' });
    expect(refused.challenge).toBeNull();
    await app.issuer.resume();
    await until(async () => (await app.ask(token)).status === 200);
  });

  it('are not asked for again soon after a failure, and the log says it once', async () => {
    const app = await start({ keyTimes: { retryDelayMs: hour } });
    const token = `Bearer ${await app.issuer.token({ scope: 'sample:read' })}`;
    await app.issuer.close();
    expect(await app.ask(token)).toMatchObject({ status: 503 });
    await app.issuer.resume();
    expect(await app.ask(token)).toMatchObject({ status: 503 });
    expect(app.issuer.keyRequests).toBe(0);
    expect(app.app.lines.filter(({ level }) => level >= 40)).toHaveLength(1);
  });

  it('go on being used while the issuer is away, however old they are', async () => {
    const app = await start({ keyTimes: { maxAgeMs: 0, retryDelayMs: 0 } });
    expect(await app.ask()).toMatchObject({ status: 200 });
    await app.issuer.close();
    const warnings = () => app.app.lines.filter(({ level }) => level === 40).length;
    await until(async () => (await app.ask()).status === 200 && warnings() > 2);
    // What is not known might be good: that is for the issuer to say.
    expect(await app.ask(await withUnknownKey(app))).toMatchObject({ status: 503 });
    expect(await app.ask()).toMatchObject({ status: 200 });
  });

  it('are renewed in time, so that one that is withdrawn is not believed for ever', async () => {
    const app = await start({ keyTimes: { maxAgeMs: 0 } });
    const token = `Bearer ${await app.issuer.token({ scope: 'sample:read' })}`;
    expect(await app.ask(token)).toMatchObject({ status: 200 });
    app.issuer.useKeys(await signingKey('key-2'));
    await until(async () => (await app.ask(token)).status === 401);
  });
});

describe('a new key of the issuer', () => {
  it('is taken at once, by all who come with it', async () => {
    const app = await start();
    expect(await app.ask()).toMatchObject({ status: 200 });
    app.issuer.useKeys(await signingKey('key-2'));
    const answers = await Promise.all([app.ask(), app.ask(), app.ask(), app.ask()]);
    expect(answers.map(({ status }) => status)).toEqual([200, 200, 200, 200]);
    expect(app.issuer.keyRequests).toBe(2);
  });

  it('cannot be made up to make us ask again and again', async () => {
    const app = await start();
    expect(await app.ask()).toMatchObject({ status: 200 });
    const hostile = await withUnknownKey(app);
    for (let times = 0; times < 20; times += 1) {
      expect(await app.ask(hostile)).toMatchObject({ status: 401 });
    }
    expect(app.issuer.keyRequests).toBe(2);
    expect(await app.ask()).toMatchObject({ status: 200 });
  });

  it('is not refused while the issuer cannot be asked about it', async () => {
    const app = await start();
    expect(await app.ask()).toMatchObject({ status: 200 });
    const unknown = await withUnknownKey(app);
    await app.issuer.close();
    expect(await app.ask(unknown)).toMatchObject({ status: 503 });
    expect(await app.ask(unknown)).toMatchObject({ status: 503 });
  });

  it('is looked for again after a while', async () => {
    const app = await start({ keyTimes: { minRefetchIntervalMs: 50 } });
    expect(await app.ask()).toMatchObject({ status: 200 });
    expect(await app.ask(await withUnknownKey(app))).toMatchObject({ status: 401 });
    app.issuer.useKeys(await signingKey('key-2'));
    await until(async () => (await app.ask()).status === 200);
  });
});

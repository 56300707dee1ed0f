import * as registry from '@engawa/registry';
import { startService } from '@engawa/service';
import { freePort, TokenIssuer, until } from '@engawa/testing';

const closers: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0).toReversed()) await close();
});

/** @returns the state of its requirement of the issuer; there is no table */
async function start(issuer: string) {
  const { context, close } = await startService({
    name: 'registry',
    module: registry,
    environment: {
      ...{ PORT: '0', METRICS_PORT: '0', AUTH_MODE: 'jwt', AUTH_ISSUER: issuer },
      AUTH_AUDIENCE: 'engawa',
      DYNAMODB_ENDPOINT: `http://127.0.0.1:${await freePort()}`,
    },
    logDestination: { write: () => true },
  });
  closers.push(close);
  return () => context.readiness.unavailableReasons().find(({ name }) => name === 'issuerKeys');
}

it('a rollout with a wrong issuer stops, and a later outage does not matter', async () => {
  const issuer = await TokenIssuer.start();
  closers.push(() => issuer.close());
  const wrong = await start(`${issuer.url}/wrong`);
  const found = await until('the answer of the issuer', () => {
    const unmet = wrong();
    return unmet?.reason.includes('status 404') === true ? unmet : undefined;
  });
  expect(found).toMatchObject({ blocks: true });
  expect(found.reason).toContain(`the signing keys of ${issuer.url}/wrong are unavailable`);

  const right = await start(issuer.url);
  await until('the keys', () => right() === undefined);
  await issuer.close();
  expect(right()).toBeUndefined();
});

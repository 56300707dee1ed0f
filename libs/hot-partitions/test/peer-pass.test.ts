import { PeerTokens } from '@engawa/http';
import { aPartition, HotPartitionApps } from './hot-partition-apps.ts';
import type { HeatReport } from '@engawa/heat';
import type { StartedApp } from './start-app.ts';

const secret = 'the same in all processes of this test';
const pass = new PeerTokens(secret);
const started = new HotPartitionApps();
let app: StartedApp;
beforeAll(async () => {
  const issuer = await started.issuer();
  const environment = { ...issuer.environment, CURSOR_SECRET: secret };
  app = await started.app([aPartition()], { environment });
});
afterAll(() => started.close());

const minute = 60_000;

async function ask(given: string, path = '/v1/hot-partitions') {
  const answer = await fetch(app.url + path, { headers: { 'engawa-peer': given } });
  return { status: answer.status, body: (await answer.json()) as Partial<HeatReport> };
}

/** A millisecond later, with the same signature. */
function withAnotherTime(given: string) {
  const [time, signature] = given.split('.');
  return `${Number(time) + 1}.${signature}`;
}

it('allows other processes to read hot partitions, with hashed ids', async () => {
  const { status, body } = await ask(pass.issue());
  expect(status).toBe(200);
  expect(body.keys).toBe('hashed');
});

it.each([4, -4])('may have a clock difference: %i minutes', async (minutes) => {
  expect((await ask(pass.issue(Date.now() + minutes * minute))).status).toBe(200);
});

it.each([
  ['of another secret', () => new PeerTokens('another secret').issue()],
  ['that is too old', () => pass.issue(Date.now() - 6 * minute)],
  ['from the future', () => pass.issue(Date.now() + 6 * minute)],
  ['with another time', () => withAnotherTime(pass.issue())],
  ['with half a signature', () => pass.issue().slice(0, -32)],
  ['that is empty', () => ''],
])('is rejected %s', async (_what, given) => {
  expect((await ask(given())).status).toBe(401);
});

it('is rejected by other routes', async () => {
  expect((await ask(pass.issue(), '/v1/hot-partitions/merged')).status).toBe(401);
});

it('is rejected where no secret is set', async () => {
  const issuer = await started.issuer();
  const other = await started.app([], { environment: issuer.environment });
  const headers = { 'engawa-peer': pass.issue() };
  expect((await fetch(`${other.url}/v1/hot-partitions`, { headers })).status).toBe(401);
});

import { openBeforeAll } from '@engawa/testing';
import { startSample } from './sample-app.ts';

const sample = openBeforeAll(startSample);

async function counted(): Promise<number> {
  const text = await sample.registry.metrics();
  return Number(/^engawa_invariants_broken_total (\d+)$/m.exec(text)?.[1]);
}

it('answers a broken invariant with the problem `internal`, and counts and logs it once', async () => {
  const before = await counted();
  const response = await fetch(`${sample.url}/v1/devices/impossible`);
  expect(response.status).toBe(500);
  const body = (await response.json()) as { type: string; requestId: string };
  expect(body.type).toBe('/problems/internal');
  expect(JSON.stringify(body)).not.toContain('a device has a kind');
  expect((await counted()) - before).toBe(1);
  // A scrape counts nothing.
  expect((await counted()) - before).toBe(1);
  const logged = sample.lines.filter(({ requestId }) => requestId === body.requestId);
  const err = { type: 'InvariantError', message: 'a device has a kind' };
  expect(logged).toMatchObject([{ level: 50, err }]);
});

import { aDevice, openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';

const time = Date.UTC(2026, 9, 1, 10);
const about = { from: time, to: time + 1000, fields: ['power'], why: 'to see' };
const reading = { time, fields: { power: 1 } };

const bodies: Record<string, unknown>[] = [
  { operation: 'delete', ...about },
  { operation: 'ignore', ...about },
  { operation: 'replace', ...about, readings: [reading] },
  { operation: 'reset', at: time, fields: ['power'], why: 'to see' },
];

/** JSON texts that may stand where a value is expected. */
const texts = [
  ...['null', 'true', '0', '-1', '1e400', '-0', '1e-200', '123456789012345678901234567890.5'],
  ...['""', '" "', '"\\ud800"', '"\\u0000"', '"__proto__"', '"constructor"', '"a#b/c"', '"NaN"'],
  ...['"-271821-04-20T00:00:00.000Z"', '"9999-12-31T23:59:59.999Z"', '"0000-01-01T00:00:00.000Z"'],
  ...['[]', '{}', '[[]]', '[null]', '["x","x"]', '{"__proto__":{"power":1}}', '{"constructor":1}'],
  JSON.stringify('x'.repeat(3000)),
  JSON.stringify(Array.from({ length: 200 }, (_, index) => `field ${index}`)),
  JSON.stringify(Array.from({ length: 101 }, () => reading)),
  ...[reading, { ...reading, fields: { power: [1] } }, { ...reading, more: 1 }].map((one) =>
    JSON.stringify([one]),
  ),
  '[{"time":1790848800000,"fields":{"power":1e999}}]',
  '[{"time":1790848800000,"fields":{"__proto__":1}}]',
  '[{"time":1790848800000,"fields":{"power":12345678901234567890123456789012345678901}}]',
  `${'['.repeat(5000)}${']'.repeat(5000)}`,
];

const registry = openBeforeAll(() => startRegistry({ RATE_LIMIT_PER_MINUTE: '0' }));

it('a random correction is created as given or rejected with a reason', async () => {
  await registry.put(aDevice({ id: 'fuzzed' }));
  const statuses = new Map<number, number>();
  let count = 0;
  for (const body of bodies) {
    for (const name of [...Object.keys(body), 'more']) {
      for (const text of texts) {
        const rest = Object.entries(body).filter(([known]) => known !== name);
        const members = rest.map(([known, value]) => `"${known}":${JSON.stringify(value)}`);
        const sent = `{${[...members, `"${name}":${text}`].join(',')}}`;
        const path = `/v1/devices/fuzzed/corrections/${count++}`;
        const { status } = await registry.ask(path, { method: 'PUT', body: sent });
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
        if (status === 201) expect((await registry.ask(path)).status).toBe(200);
      }
    }
  }
  expect([...statuses.keys()].sort()).toEqual([201, 400]);
  expect(statuses.get(400)).toBeGreaterThan(500);
  const { body } = await registry.ask('/v1/devices/fuzzed/corrections?limit=1000');
  expect((body as { items: unknown[] }).items).toHaveLength(statuses.get(201) ?? 0);
});

it('the same with a random id', async () => {
  await registry.put(aDevice({ id: 'named' }));
  const ids = ['.', '..', 'a/b', '\u0000', '', '居間'.repeat(64), '😀'.repeat(64), '#COR#', ' '];
  for (const id of [...ids, 'x'.repeat(129)]) {
    const path = `/v1/devices/named/corrections/${encodeURIComponent(id)}`;
    const answer = await fetch(registry.url + path, {
      method: 'PUT',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(bodies[0]),
    });
    expect([201, 400, 404, 405]).toContain(answer.status);
  }
});

import { correctionKey, deviceKey } from '@engawa/keys';
import { aDevice, openBeforeAll, until } from '@engawa/testing';
import { startRegistry } from './registry.ts';

const time = Date.UTC(2026, 9, 1, 10);
const iso = (at: number) => new Date(at).toISOString();
const hour = 3_600_000;
const deletion = {
  operation: 'delete',
  from: iso(time),
  to: iso(time + hour),
  fields: ['power'],
  why: 'the meter was tested',
};

const registry = openBeforeAll(startRegistry);

const path = (device: string, correction = '') =>
  `/v1/devices/${device}/corrections${correction && `/${correction}`}`;

function put(device: string, id: string, body: unknown) {
  return registry.ask(path(device, id), { method: 'PUT', body });
}

async function listOf(device: string, query = '') {
  const { body } = await registry.ask(path(device) + query);
  return body as { items: { id: string; undoneAt?: string }[]; cursor?: string };
}

describe('a correction', () => {
  it('is created, read and listed as given', async () => {
    await registry.put(aDevice({ id: 'meter' }));
    const { status, body } = await put('meter', 'test run', deletion);
    expect(status).toBe(201);
    expect(body).toEqual({ id: 'test run', ...deletion, madeAt: expect.any(String) as string });
    expect((await registry.ask(path('meter', 'test run'))).body).toEqual(body);
    expect((await listOf('meter')).items).toEqual([body]);
  });

  it('keeps its replacement readings to the digit, in order of time', async () => {
    await registry.put(aDevice({ id: 'precise' }));
    const readings = `[
      {"time": "${iso(time + 2)}", "fields": {"energy": 12345678901234567890.5, "state": null}},
      {"time": ${time + 1}, "fields": {"energy": 7, "is on": true}}
    ]`;
    const asked = `{"operation": "replace", "from": ${time}, "to": ${time + hour}, "why": "by hand", "readings": ${readings}}`;
    const { status } = await put('precise', 'one', asked);
    expect(status).toBe(201);
    const answer = await fetch(registry.url + path('precise', 'one'));
    const text = await answer.text();
    expect(text).toContain('"energy":12345678901234567890.5');
    expect((JSON.parse(text) as { readings: unknown[] }).readings).toEqual([
      { time: iso(time + 1), fields: { energy: 7, 'is on': true } },
      { time: iso(time + 2), fields: { energy: 12345678901234567890, state: null } },
    ]);
  });

  it('is idempotent, and rejects another correction of its id', async () => {
    await registry.put(aDevice({ id: 'again' }));
    const made = await put('again', 'one', deletion);
    const again = await put('again', 'one', { ...deletion, fields: ['power', 'power'] });
    expect([again.status, again.body]).toEqual([200, made.body]);
    const other = await put('again', 'one', { ...deletion, why: 'something else' });
    expect([other.status, (other.body as { title: string }).title]).toEqual([
      409,
      'The id belongs to another correction',
    ]);
    expect((await listOf('again')).items).toEqual([made.body]);
  });

  it('is undone once, stays in the list, and its id is not used again', async () => {
    await registry.put(aDevice({ id: 'undone' }));
    await put('undone', 'one', { operation: 'reset', at: iso(time), why: 'replaced' });
    const undo = () => registry.ask(path('undone', 'one'), { method: 'DELETE' });
    expect((await undo()).status).toBe(204);
    const [first] = (await listOf('undone')).items;
    expect(first).toMatchObject({ at: iso(time), undoneAt: expect.any(String) as string });
    const version = (await registry.table.get(deviceKey('undone')))?.['corrections'];
    expect((await undo()).status).toBe(204);
    expect((await listOf('undone')).items).toEqual([first]);
    expect((await registry.table.get(deviceKey('undone')))?.['corrections']).toEqual(version);
    const same = { operation: 'reset', at: iso(time), why: 'replaced' };
    const again = [await put('undone', 'one', deletion), await put('undone', 'one', same)];
    expect(again.map(({ status }) => status)).toEqual([409, 409]);
  });

  it('is created or undone only if If-Match or If-None-Match holds', async () => {
    await registry.put(aDevice({ id: 'careful' }));
    const ask = (method: string, headers: Record<string, string>) =>
      registry.ask(path('careful', 'one'), {
        ...{ method, headers },
        ...(method === 'PUT' && { body: deletion }),
      });
    const statuses: number[] = [];
    for (const [method, headers] of [
      ['PUT', { 'if-match': '"1"' }],
      ['PUT', { 'if-none-match': '*' }],
      ['PUT', { 'if-none-match': '*' }],
      ['PUT', { 'if-match': '"1"' }],
      ['DELETE', { 'if-match': '"2"' }],
      ['DELETE', { 'if-match': '"1"' }],
      ['DELETE', { 'if-match': '"1"' }],
    ] as const) {
      statuses.push((await ask(method, { ...headers })).status);
    }
    expect(statuses).toEqual([404, 201, 412, 200, 412, 204, 412]);
    expect((await ask('GET', {})).headers.get('etag')).toMatch(/^"2-[0-9A-Z]{9}\./);
  });

  it('has a unique sequence number under concurrent changes', async () => {
    await registry.put(aDevice({ id: 'busy' }));
    const ids = Array.from({ length: 8 }, (_, index) => `c${index}`);
    await put('busy', 'first', deletion);
    const undo = registry.ask(path('busy', 'first'), { method: 'DELETE' });
    const answers = await Promise.all([...ids.map((id) => put('busy', id, deletion)), undo]);
    expect(answers.map(({ status }) => status)).toEqual([...ids.map(() => 201), 204]);
    const keys = ids.map((id) => correctionKey('busy', id));
    const { items } = await registry.table.getAll(keys, { consistent: true });
    const numbers = items.map(({ sequence }) => Number(sequence)).sort((a, b) => a - b);
    expect(numbers).toEqual(ids.map((_, index) => index + 2));
    const device = await registry.table.get(deviceKey('busy'), { consistent: true });
    expect(device?.['corrections']).toMatchObject({ made: 9 });
  });

  it('is listed page by page in the order of ids, and as CSV', async () => {
    await registry.put(aDevice({ id: 'paged' }));
    for (const id of ['b', 'a', 'c']) await put('paged', id, deletion);
    const first = await listOf('paged', '?limit=2');
    const second = await listOf('paged', `?limit=2&cursor=${first.cursor ?? ''}`);
    expect([...first.items, ...second.items].map(({ id }) => id)).toEqual(['a', 'b', 'c']);
    expect(second.cursor).toBeUndefined();
    const answer = await fetch(registry.url + path('paged'), { headers: { accept: 'text/csv' } });
    const lines = (await answer.text()).trim().split('\r\n');
    expect(lines[0]).toBe('id,operation,from,to,at,fields,why,by,madeAt,undoneAt,undoneBy');
    expect(lines).toHaveLength(4);
  });

  it('costs two GetItems and a transaction', async () => {
    await registry.put(aDevice({ id: 'cheap' }));
    const cost = await registry.costOf(() => put('cheap', 'one', deletion));
    expect(cost).toEqual({ GetItem: 2, TransactWriteItems: 1 });
  });
});

describe('invalid corrections', () => {
  const replace = { ...deletion, operation: 'replace' };
  const tooFar = iso(Date.now() + 2 * 24 * hour);
  it.each([
    ['no operation', {}, 'body.operation'],
    ['an unknown operation', { ...deletion, operation: 'undo' }, 'body.operation'],
    ['no reason', { ...deletion, why: '' }, 'body.why'],
    ['an empty range', { ...deletion, to: deletion.from }, 'body.to'],
    ['a range that has no end yet', { ...deletion, to: tooFar }, 'body.to'],
    ['no field', { ...deletion, fields: [] }, 'body.fields'],
    ['a field that can be none', { ...deletion, fields: ['__proto__'] }, 'body.fields[0]'],
    ['a deletion with readings', { ...deletion, readings: [] }, 'body.readings'],
    ['no readings', { ...replace, readings: [] }, 'body.readings'],
    [
      'a reading outside the range',
      { ...replace, readings: [{ time: deletion.to, fields: { power: 1 } }] },
      'body.readings[0].time',
    ],
    [
      'a reading of another field',
      { ...replace, readings: [{ time: deletion.from, fields: { energy: 1 } }] },
      'body.readings[0].fields',
    ],
    [
      'a reading without fields',
      { ...replace, readings: [{ time: deletion.from, fields: {} }] },
      'body.readings[0].fields',
    ],
    [
      'a value that is none',
      { ...replace, readings: [{ time: deletion.from, fields: { power: [1] } }] },
      'body.readings[0].fields.power',
    ],
    [
      'more than 4 KB',
      { ...replace, readings: [{ time: deletion.from, fields: { power: 'x'.repeat(4000) } }] },
      'body',
    ],
  ])('%s', async (_, body, place) => {
    await registry.put(aDevice({ id: 'strict' }));
    const { status, body: problem } = await put('strict', 'one', body);
    expect([status, (problem as { errors: { path: string }[] }).errors[0]?.path]).toEqual([
      400,
      place,
    ]);
  });

  it('an unknown device or correction', async () => {
    await registry.put(aDevice({ id: 'known' }));
    const statuses = [
      await put('nobody', 'one', deletion),
      await registry.ask(path('nobody')),
      await registry.ask(path('nobody', 'one')),
      await registry.ask(path('nobody', 'one'), { method: 'DELETE' }),
      await registry.ask(path('known', 'none')),
      await registry.ask(path('known', 'none'), { method: 'DELETE' }),
    ].map(({ status }) => status);
    expect(statuses).toEqual([404, 404, 404, 404, 404, 404]);
    const { body } = await registry.ask(path('known'));
    expect(body).toEqual({ items: [] });
  });

  it('more corrections than the maximum', async () => {
    const state = (weight: number) => {
      return { version: 'any', made: 20_000, rows: { counts: [20_000, 0, 0, 0], weight } };
    };
    await registry.put(
      aDevice({ id: 'full', corrections: state(100_000) }),
      aDevice({ id: 'nearly', corrections: state(99_999) }),
    );
    expect((await put('full', 'one', deletion)).status).toBe(409);
    expect((await put('nearly', 'one', deletion)).status).toBe(201);
  });
});

it('the corrections of a deleted device are purged with it', async () => {
  await registry.put(aDevice({ id: 'gone' }));
  await put('gone', 'one', deletion);
  await registry.ask('/v1/devices/gone', { method: 'DELETE' });
  expect((await put('gone', 'two', deletion)).status).toBe(404);
  const left = () => registry.table.get(correctionKey('gone', 'one'), { consistent: true });
  await until('the correction is purged', async () => (await left()) === undefined);
});

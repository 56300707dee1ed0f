import { aDevice, openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';
import { build, move, pathOf } from './places.ts';
import type { TestResponse } from './registry.ts';

const ndjson = { 'content-type': 'application/x-ndjson' };

const lists = `${'['.repeat(1000)}${']'.repeat(1000)}`;

/** What `JSON.parse` makes of it has an own member `__proto__`. */
const hostile = '{"__proto__":{"polluted":true},"constructor":{"prototype":1},"toString":[null]}';

const registry = openBeforeAll(startRegistry);
beforeAll(() => build(registry, 'home', ['hall']));

async function send(
  method: string,
  path: string,
  body: unknown,
  status: number,
): Promise<TestResponse> {
  const answer = await registry.ask(path, { method, body });
  expect([path, answer.status, answer.body]).toEqual([path, status, answer.body]);
  return answer;
}

async function shown(path: string): Promise<Record<string, unknown>> {
  return (await registry.ask(path)).body as Record<string, unknown>;
}

/** Things of each kind, and where a patch of them is sent: the last is a device that is placed. */
const things = [
  ['a device', pathOf('devices', 'lamp')],
  ['a placed device', pathOf('devices', 'placed')],
  ['a place', pathOf('places', 'flat')],
  ['a room', pathOf('rooms', 'home', 'bath')],
] as const;

describe.each(things)('labels and metadata of %s', (_what, path) => {
  beforeAll(async () => {
    const labels = { floor: '2', 'engawa.dev/zone': 'wet' };
    const metadata = { maker: 'Shelly', bought: { year: 2024, price: 12.5 } };
    await send('PUT', path, { name: 'Thing', labels, metadata }, 201);
    if (path.endsWith('placed')) await move(registry, 'placed', 'home', { room: 'hall' });
  });

  it('are returned unchanged', async () => {
    expect(await shown(path)).toMatchObject({
      labels: { floor: '2', 'engawa.dev/zone': 'wet' },
      metadata: { maker: 'Shelly', bought: { year: 2024, price: 12.5 } },
    });
  });

  it('are replaced by PUT, and none are left where it has none', async () => {
    const { labels, metadata } = await shown(path);
    const replaced = { name: 'Other', labels: { a: '1' }, metadata: { b: [1] } };
    expect((await send('PUT', path, replaced, 200)).body).toMatchObject(replaced);
    expect((await shown(path))['labels']).toEqual({ a: '1' });
    const none = await send('PUT', path, { name: 'Other' }, 200);
    expect(none.body).not.toHaveProperty('labels');
    expect(await shown(path)).not.toHaveProperty('metadata');
    await send('PUT', path, { name: 'Thing', labels, metadata }, 200);
  });

  it('are merged by PATCH, where null removes a key', async () => {
    const patch = {
      labels: { floor: null, room: 'north' },
      metadata: { maker: null, bought: { price: 11 } },
    };
    const { body } = await send('PATCH', path, patch, 200);
    expect(body).toMatchObject({ name: 'Thing' });
    expect(body).toHaveProperty('labels', { 'engawa.dev/zone': 'wet', room: 'north' });
    expect(body).toHaveProperty('metadata', { bought: { year: 2024, price: 11 } });
    expect(await shown(path)).toMatchObject(body as object);
    await send('PATCH', path, { labels: null }, 200);
    expect(await shown(path)).not.toHaveProperty('labels');
    await send('PATCH', path, { metadata: null, labels: { floor: '2' } }, 200);
    expect(await shown(path)).not.toHaveProperty('metadata');
  });

  it('are all merged when they are sent at once', async () => {
    const keys = Array.from({ length: 8 }, (_, index) => `at-once-${index}`);
    await Promise.all(
      keys.map((key) =>
        send('PATCH', path, { labels: { [key]: 'yes' }, metadata: { [key]: 1 } }, 200),
      ),
    );
    const { labels, metadata } = await shown(path);
    expect(labels).toMatchObject(Object.fromEntries(keys.map((key) => [key, 'yes'])));
    expect(metadata).toMatchObject(Object.fromEntries(keys.map((key) => [key, 1])));
    await send('PATCH', path, { labels: null, metadata: null }, 200);
  });

  it('are merged only into the version that If-Match names', async () => {
    const { version } = await shown(path);
    const patch = (tag: number, value: string) => {
      const headers = { 'if-match': `"${tag}"` };
      const body = { labels: { tag: value } };
      return registry.ask(path, { method: 'PATCH', headers, body });
    };
    expect(await patch(Number(version), 'one')).toMatchObject({ status: 200 });
    expect(await patch(Number(version), 'two')).toMatchObject({ status: 412 });
    expect(await shown(path)).toMatchObject({ labels: { tag: 'one' } });
  });

  it('keep every name and digit of metadata', async () => {
    const text = `{"name":"Thing","metadata":{${hostile.slice(1, -1)},"exact":12345678901234567890.5,"lists":${lists},"":{"deep":[[[{}]]]}}}`;
    const answer = await send('PUT', path, text, 200);
    const put = JSON.parse(text) as { metadata: object };
    expect(JSON.stringify((answer.body as { metadata: object }).metadata)).toEqual(
      JSON.stringify(put.metadata),
    );
    const raw = await (await fetch(registry.url + path)).text();
    expect(raw).toContain('12345678901234567890.5');
    expect(raw).toContain('"__proto__":{"polluted":true}');
    await send('PATCH', path, '{"metadata":{"__proto__":{"polluted":null,"more":1}}}', 200);
    expect(await (await fetch(registry.url + path)).text()).toContain('"__proto__":{"more":1}');
    expect(({} as Record<string, unknown>)['polluted']).toBeUndefined();
  });

  it('may have names of properties of Object.prototype', async () => {
    const labels = { constructor: 'a', toString: 'b', hasOwnProperty: 'c' };
    expect((await send('PUT', path, { name: 'Thing', labels }, 200)).body).toMatchObject({
      labels,
    });
    expect(await shown(path)).toMatchObject({ labels });
    await send('PATCH', path, { labels: { constructor: null } }, 200);
    const left = (await shown(path))['labels'] as object;
    expect(Object.keys(left).toSorted()).toEqual(['hasOwnProperty', 'toString']);
  });

  it.each([
    [{ labels: [] }, 'body.labels', 'must be an object'],
    [{ labels: { '': 'x' } }, 'body.labels', /syntax of labels/],
    [{ labels: { '-a': 'x' } }, 'body.labels', /syntax of labels/],
    [{ labels: { 'a b': 'x' } }, 'body.labels', /syntax of labels/],
    [{ labels: { ['x'.repeat(64)]: 'x' } }, 'body.labels', /syntax of labels/],
    [{ labels: { 'Not.DNS/a': 'x' } }, 'body.labels', /syntax of labels/],
    ['{"labels":{"__proto__":"x"}}', 'body.labels.__proto__', /syntax of labels/],
    [{ labels: { a: 'x'.repeat(64) } }, 'body.labels.a', /at most 63/],
    [{ labels: { a: '二階' } }, 'body.labels.a', /at most 63 letters/],
    [{ labels: { a: 2 } }, 'body.labels.a', 'must be a text'],
    [{ metadata: [] }, 'body.metadata', 'must be an object'],
    [{ metadata: 'x' }, 'body.metadata', 'must be an object'],
    ['{"metadata":{"a":1e999}}', 'body.metadata', /no number that cannot be stored exactly/],
    [
      { metadata: { a: 'x'.repeat(4089) } },
      'body.metadata',
      'must have at most 4096 bytes as JSON',
    ],
    [
      `{"metadata":{"a":${'['.repeat(90_000)}${']'.repeat(90_000)}}}`,
      'body.metadata',
      /nested|4096/,
    ],
  ])('refuse a wrong one, put or patched (case %#)', async (body, at, message) => {
    const text = typeof body === 'string' ? body : JSON.stringify(body);
    for (const [method, sent] of [
      ['PATCH', text],
      ['PUT', `{"name":"Thing",${text.slice(1)}`],
    ] as const) {
      const answer = await send(method, path, sent, 400);
      const { errors } = answer.body as { errors: { path: string; message: string }[] };
      expect(errors[0]?.path).toContain(at);
      expect(errors[0]?.message).toMatch(message);
    }
  });

  it('keep their bounds after a PATCH is merged', async () => {
    const labels = Object.fromEntries(Array.from({ length: 31 }, (_, index) => [`l${index}`, '']));
    await send('PUT', path, { name: 'Thing', labels, metadata: { a: 'x'.repeat(4000) } }, 200);
    await send('PATCH', path, { labels: { one: 'more' } }, 200);
    const { body } = await send('PATCH', path, { labels: { and: 'another' } }, 400);
    expect(body).toMatchObject({
      errors: [{ path: 'body.labels', message: 'must have at most 32 labels' }],
    });
    const many = Object.fromEntries(
      Array.from({ length: 32 }, (_, index) => [`key-${index}-${'k'.repeat(40)}`, 'v'.repeat(40)]),
    );
    await send('PUT', path, { name: 'Thing', labels: many }, 400);
    await send('PATCH', path, { metadata: { b: 'x'.repeat(100) } }, 400);
    await send('PATCH', path, { metadata: { a: null, b: 'x'.repeat(100) } }, 200);
    await send('PATCH', path, { labels: null, metadata: null }, 200);
  });
});

it('a PATCH of labels does not create a missing resource', async () => {
  for (const path of ['/v1/devices/nobody', '/v1/places/nowhere', '/v1/rooms/home/none']) {
    await send('PATCH', path, { labels: { a: 'b' } }, 404);
    await send('PATCH', path, {}, 400);
  }
});

it('a PATCH of labels is a GetItem and a write, one without them a write as before', async () => {
  await registry.put(aDevice({ id: 'cost' }));
  const patch = (body: object) => () => send('PATCH', '/v1/devices/cost', body, 200);
  expect(await registry.costOf(patch({ labels: { a: 'b' } }))).toEqual({
    GetItem: 1,
    UpdateItem: 1,
  });
  expect(await registry.costOf(patch({ kind: 'meter' }))).toEqual({ UpdateItem: 1 });
});

it('bulk requests create devices, places and rooms with labels and metadata', async () => {
  const device = { id: 'bulk-device', labels: { a: 'b' }, metadata: { n: 1 } };
  const room = { id: 'bulk-room', name: 'Room', labels: { c: 'd' }, metadata: { n: 2 } };
  const place = { id: 'bulk-place', name: 'Place', labels: { e: 'f' }, metadata: { n: 3 } };
  const post = (path: string, lines: string[]) =>
    registry.ask(path, { method: 'POST', headers: ndjson, body: lines.join('\n') });
  const bad = JSON.stringify({ id: 'bad', labels: { '-': 'x' } });
  const devices = await post('/v1/devices', [JSON.stringify(device), bad]);
  expect(devices.body).toMatchObject({ devices: { created: 1 }, failed: 1, errors: [{ line: 2 }] });
  const places = await post('/v1/places', [JSON.stringify({ ...place, rooms: [room] })]);
  expect(places.body).toMatchObject({ places: { created: 1 }, rooms: { created: 1 }, failed: 0 });
  expect(await shown('/v1/devices/bulk-device')).toMatchObject(device);
  expect(await shown('/v1/places/bulk-place')).toMatchObject({ ...place, rooms: [room] });
});

it('labels are in every list, metadata where things are whole, and both in CSV', async () => {
  const about = { labels: { list: 'yes' }, metadata: { n: 1 } };
  await send('PUT', '/v1/devices/listed', { name: 'zz listed', ...about }, 201);
  await send('PUT', '/v1/places/listed', { name: 'zz listed', ...about }, 201);
  await send('PUT', '/v1/rooms/listed/listed', { name: 'zz listed', ...about }, 201);
  for (const path of ['/v1/devices', '/v1/places', '/v1/rooms']) {
    const { items } = (await shown(`${path}?namePrefix=zz`)) as { items: object[] };
    expect(items).toMatchObject([{ labels: about.labels }]);
    expect(items[0]).not.toHaveProperty('metadata');
    const csv = await registry.ask(`${path}?namePrefix=zz`, { headers: { accept: 'text/csv' } });
    expect(csv.body).toContain('"{""list"":""yes""}"');
  }
  const rooms = await registry.ask('/v1/places/listed/rooms', { headers: { accept: 'text/csv' } });
  expect(rooms.body).toContain('"{""list"":""yes""}","{""n"":1}"');
  const seen = (await shown('/v1/devices?order=lastSeen&label=list')) as { items: object[] };
  expect(seen.items).toMatchObject([about]);
});

import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, itemsOf, minute, move, pathOf, takeAway, walk } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);

function put(
  place: string,
  room: string,
  name: string,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return registry.ask(pathOf('rooms', place, room), { method: 'PUT', headers, body: { name } });
}

const get = (place: string, room: string, query = ''): Promise<TestResponse> =>
  registry.ask(`${pathOf('rooms', place, room)}${query}`);

describe('PUT /v1/rooms/{place}/{room}', () => {
  beforeAll(() => build(registry, 'home'));

  it('creates a room by one transaction, and renames it by two requests', async () => {
    const made = await registry.costOf(async () => {
      const { status, headers, body } = await put('home', 'attic', 'Attic');
      expect(status).toBe(201);
      expect(headers.get('etag')).toMatch(/^"1-[0-9A-Z]{9}"$/);
      expect(body).toMatchObject({ place: 'home', id: 'attic', name: 'Attic', version: 1 });
    });
    expect(made).toEqual({ TransactWriteItems: 1 });
    const changed = await registry.costOf(async () => {
      expect(await put('home', 'attic', 'Loft')).toMatchObject({ status: 200 });
    });
    expect(changed).toEqual({ TransactWriteItems: 1, UpdateItem: 1 });
    expect((await get('home', 'attic')).body).toMatchObject({ name: 'Loft', version: 2 });
  });

  it('is not created in a missing place', async () => {
    const { status, body } = await put('nowhere', 'attic', 'Attic');
    expect(status).toBe(404);
    expect(body).toMatchObject({ type: '/problems/place-not-found' });
    expect(await get('nowhere', 'attic')).toMatchObject({ status: 404 });
    const { body: rooms } = await registry.ask('/v1/rooms?namePrefix=attic');
    expect(rooms).toMatchObject({ items: [] });
  });

  it('keeps to its conditions', async () => {
    await put('home', 'den', 'Den');
    const second = await put('home', 'den', 'x', { 'if-none-match': '*' });
    expect(second).toMatchObject({ status: 412, body: { type: '/problems/already-exists' } });
    const late = await put('home', 'den', 'x', { 'if-match': '"7"' });
    expect(late).toMatchObject({ status: 412, body: { type: '/problems/version-mismatch' } });
    const missing = await put('home', 'nobody', 'x', { 'if-match': '*' });
    expect(missing).toMatchObject({ status: 404, body: { type: '/problems/room-not-found' } });
    expect((await get('home', 'den')).body).toMatchObject({ name: 'Den', version: 1 });
  });
});

describe('PATCH /v1/rooms/{place}/{room}', () => {
  it('renames and re-sorts at once, for a GetItem of the place and an UpdateItem', async () => {
    await build(registry, 'sorted', ['sorted a', 'sorted b']);
    const path = pathOf('rooms', 'sorted', 'sorted a');
    const cost = await registry.costOf(async () => {
      const body = { name: 'Sorted C' };
      const headers = { 'if-match': '"1"' };
      expect(await registry.ask(path, { method: 'PATCH', headers, body })).toMatchObject({
        status: 200,
        body: { name: 'Sorted C', version: 2 },
      });
    });
    expect(cost).toEqual({ GetItem: 1, UpdateItem: 1 });
    const pages = await walk(registry, '/v1/rooms', { namePrefix: 'sorted' });
    expect(itemsOf(pages).map(({ id }) => id)).toEqual(['sorted b', 'sorted a']);
  });

  it('makes none', async () => {
    const answer = await registry.ask('/v1/rooms/home/nobody', {
      method: 'PATCH',
      body: { name: 'x' },
    });
    expect(answer).toMatchObject({ status: 404, body: { type: '/problems/room-not-found' } });
  });
});

describe('GET /v1/rooms', () => {
  it('lists the rooms of all places by name, and finds a prefix, ignoring case and width', async () => {
    await build(registry, 'first');
    await build(registry, 'second');
    for (const [place, id, name] of [
      ['second', 'a', 'ホール 1'],
      ['first', 'a', 'ﾎｰﾙ 2'],
      ['first', 'b', 'living room'],
      ['second', 'b', 'ＬＩＶＩＮＧ'],
    ] as const) {
      await put(place, id, name);
    }
    const find = async (namePrefix: string, limit: string) =>
      itemsOf(await walk(registry, '/v1/rooms', { namePrefix, limit })).map(({ name }) => name);
    for (const limit of ['1', '100']) {
      expect(await find('ﾎｰ', limit)).toEqual(['ホール 1', 'ﾎｰﾙ 2']);
      expect(await find('Living', limit)).toEqual(['ＬＩＶＩＮＧ', 'living room']);
    }
  });

  it('refuses a prefix behind which a name may have been cut', async () => {
    const query = new URLSearchParams({ namePrefix: '\ufdfa'.repeat(100) });
    expect(await registry.ask(`/v1/rooms?${query.toString()}`)).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'query.namePrefix' }] },
    });
  });
});

describe('GET /v1/rooms/{place}/{room}', () => {
  it('returns the room and its current devices in pages', async () => {
    await build(registry, 'school', ['class', 'yard']);
    const ids = Array.from({ length: 6 }, (_, index) => `pupil-${index}`);
    await registry.put(...ids.map((id) => aDevice({ id })));
    for (const id of ids) await move(registry, id, 'school', { room: 'class', since: minute(1) });
    await move(registry, 'pupil-1', 'school', { room: 'yard', since: minute(2) });
    await takeAway(registry, 'pupil-2', 'school');
    await move(registry, 'pupil-1', 'school', { room: 'class', since: minute(3) });
    await move(registry, 'pupil-4', 'school', { room: 'yard', since: minute(4) });
    const there = [
      { device: 'pupil-0', since: minute(1) },
      { device: 'pupil-1', since: minute(3) },
      { device: 'pupil-3', since: minute(1) },
      { device: 'pupil-5', since: minute(1) },
    ];
    const cost = await registry.costOf(async () => {
      const { headers, body } = await get('school', 'class');
      expect(body).toMatchObject({ place: 'school', id: 'class', name: 'class', devices: there });
      expect(headers.get('etag')).toMatch(/^"1-[0-9A-Z]{9}\.[\w-]{22}"$/);
    });
    expect(cost).toEqual({ BatchGetItem: 1, Query: 1 });
    for (const limit of [1, 2, 3, 4]) {
      const found: unknown[] = [];
      let query = `?limit=${limit}`;
      for (;;) {
        const { body } = await get('school', 'class', query);
        const { devices, cursor } = body as { devices: unknown[]; cursor?: string };
        expect(devices.length).toBeLessThanOrEqual(limit);
        found.push(...devices);
        if (cursor === undefined) break;
        query = `?limit=${limit}&cursor=${cursor}`;
      }
      expect(found).toEqual(there);
    }
  });

  it('names the missing room', async () => {
    const { status, body } = await get('home', 'nobody');
    expect(status).toBe(404);
    expect(body).toMatchObject({ detail: 'There is no room "nobody" in place "home".' });
  });
});

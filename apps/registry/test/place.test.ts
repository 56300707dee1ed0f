import { openBeforeAll } from '@engawa/testing';
import { build, itemsOf, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);

function put(id: string, name: unknown, headers: Record<string, string> = {}) {
  return registry.ask(pathOf('places', id), { method: 'PUT', headers, body: { name } });
}

function rename(id: string, name: string, ifMatch?: string): Promise<TestResponse> {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return registry.ask(pathOf('places', id), { method: 'PATCH', headers, body: { name } });
}

const idsOf = async (namePrefix: string) =>
  itemsOf(await walk(registry, '/v1/places', { namePrefix })).map(({ id }) => id);

describe('PUT /v1/places/{id}', () => {
  it('creates a place by one PutItem, and renames it by two requests', async () => {
    const made = await registry.costOf(async () => {
      const answer = await put('home', 'Home');
      expect(answer.status).toBe(201);
      expect(answer.headers.get('etag')).toMatch(/^"1-[0-9A-Z]{9}"$/);
      expect(answer.body).toMatchObject({ id: 'home', name: 'Home', version: 1 });
    });
    expect(made).toEqual({ PutItem: 1 });
    const before = await registry.ask('/v1/places/home');
    const changed = await registry.costOf(async () => {
      const answer = await put('home', 'Our home');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('etag')).toMatch(/^"2-[0-9A-Z]{9}"$/);
    });
    expect(changed).toEqual({ PutItem: 1, UpdateItem: 1 });
    expect((await registry.ask('/v1/places/home')).body).toEqual({
      ...(before.body as object),
      name: 'Our home',
      version: 2,
    });
  });

  it('rejects an existing place with If-None-Match', async () => {
    expect(await put('one', 'first', { 'if-none-match': '*' })).toMatchObject({ status: 201 });
    const second = await put('one', 'second', { 'if-none-match': '*' });
    expect(second.status).toBe(412);
    expect(second.body).toMatchObject({
      type: '/problems/already-exists',
      detail: 'The place "one" exists already.',
    });
    expect((await registry.ask('/v1/places/one')).body).toMatchObject({
      name: 'first',
      version: 1,
    });
  });

  it('creates one place under concurrency', async () => {
    const answers = await Promise.all(
      Array.from({ length: 8 }, (_, index) => put('race', `${index}`, { 'if-none-match': '*' })),
    );
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 412)).toHaveLength(7);
    const winner = answers.find(({ status }) => status === 201);
    const { name } = winner?.body as { name: string };
    expect((await registry.ask('/v1/places/race')).body).toMatchObject({ name, version: 1 });
  });

  it('changes only the version that was read', async () => {
    await put('read', 'before');
    expect(await put('read', 'mine', { 'if-match': '"1"' })).toMatchObject({ status: 200 });
    const late = await put('read', 'yours', { 'if-match': '"1"' });
    expect(late.status).toBe(412);
    expect(late.body).toMatchObject({
      type: '/problems/version-mismatch',
      detail: 'The place "read" has version 2 now.',
    });
  });

  it.each(['*', '"1"'])('creates nothing with If-Match: %s', async (ifMatch) => {
    expect(await put('nobody', 'x', { 'if-match': ifMatch })).toMatchObject({ status: 404 });
    expect(await registry.ask('/v1/places/nobody')).toMatchObject({ status: 404 });
  });

  it('refuses conditions that contradict each other, or are none', async () => {
    const both = { 'if-match': '"1"', 'if-none-match': '*' };
    expect((await put('both', 'x', both)).body).toMatchObject({
      errors: [{ path: 'header.if-none-match' }],
    });
    expect((await put('both', 'x', { 'if-none-match': '"1"' })).body).toMatchObject({
      errors: [{ message: 'must be *' }],
    });
  });

  it.each([
    [{}, 'body.name'],
    [{ name: '' }, 'body.name'],
    [{ name: 'x\u0000' }, 'body.name'],
    [{ name: 'x', id: 'y' }, 'body.id'],
    [[], 'body'],
  ])('refuses %j', async (body, path) => {
    const answer = await registry.ask('/v1/places/bad', { method: 'PUT', body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
    });
  });
});

describe('PATCH /v1/places/{id}', () => {
  it('renames and re-sorts at once, for one UpdateItem', async () => {
    await build(registry, 'sorted-1', [], 'sorted a');
    await build(registry, 'sorted-2', [], 'sorted b');
    const cost = await registry.costOf(async () => {
      const { status, headers, body } = await rename('sorted-1', 'Sorted C');
      expect(status).toBe(200);
      expect(headers.get('etag')).toMatch(/^"2-[0-9A-Z]{9}"$/);
      expect(body).toMatchObject({ name: 'Sorted C', version: 2 });
    });
    expect(cost).toEqual({ UpdateItem: 1 });
    expect(await idsOf('sorted')).toEqual(['sorted-2', 'sorted-1']);
  });

  it('lets one of two writers of the same version succeed, and creates nothing', async () => {
    await build(registry, 'contested');
    const answers = await Promise.all([
      rename('contested', 'mine', '"1"'),
      rename('contested', 'yours', '"1"'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    expect(await rename('nowhere', 'x')).toMatchObject({ status: 404 });
  });
});

describe('an id', () => {
  const ids = [
    'a#b',
    'a/b',
    '100%',
    '%2F',
    '居間-1',
    'constructor',
    '__proto__',
    ' a ',
    '😀',
    '$0',
  ];

  it.each(ids)('may be %j: of a place, a room and a device', async (id) => {
    await build(registry, id, [id], `hostile ${id}`);
    const device = pathOf('places', id, 'devices', id);
    const { status, body } = await registry.ask(device, { method: 'PUT', body: { room: id } });
    expect(status).toBe(404); // there is no such device, but place and room are found
    expect(body).toMatchObject({ type: '/problems/device-not-found' });
    expect((await registry.ask(pathOf('places', id))).body).toMatchObject({
      id,
      rooms: [{ place: id, id }],
    });
    expect((await registry.ask(pathOf('rooms', id, id))).body).toMatchObject({ place: id, id });
  });

  it('is found in the lists', async () => {
    expect((await idsOf('hostile')).toSorted()).toEqual(ids.toSorted());
  });
});

describe('GET /v1/places', () => {
  /** In the order in which they belong: by the UTF-8 bytes of the collated name. */
  const names = [
    'list Attic',
    'list living room',
    'ＬＩＳＴ LIVING 2',
    'list サーモ 1',
    'LIST ｻｰﾓ 2',
    'list 居間',
  ];
  const sorted = [names[0], names[2], names[1], ...names.slice(3)];

  beforeAll(async () => {
    for (const [index, name] of names.entries())
      await build(registry, `listed-${9 - index}`, [], name);
  });

  const namesOf = async (parameters: Record<string, string>) =>
    itemsOf(await walk(registry, '/v1/places', parameters)).map(({ name }) => name);

  it('lists by name, for one Query', async () => {
    const cost = await registry.costOf(async () => {
      expect(await namesOf({ namePrefix: 'list' })).toEqual(sorted);
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it.each([
    ['list ｻｰﾓ', ['list サーモ 1', 'LIST ｻｰﾓ 2']],
    ['List Living', ['ＬＩＳＴ LIVING 2', 'list living room']],
    ['list x', []],
  ])('finds what begins with %s, ignoring case and width', async (namePrefix, found) => {
    expect(await namesOf({ namePrefix })).toEqual(found);
  });

  it.each(['1', '2', '4'])('gives each place once in pages of %s', async (limit) => {
    const pages = await walk(registry, '/v1/places', { namePrefix: 'list', limit });
    expect(itemsOf(pages).map(({ name }) => name)).toEqual(sorted);
    expect(pages).toHaveLength(Math.ceil(sorted.length / Number(limit)));
  });

  it('returns every device with an unchanged name while others are renamed', async () => {
    const kept = Array.from({ length: 12 }, (_, index) => `walk-${10 + index}`);
    for (const id of [...kept, 'walker']) await build(registry, id, [], id);
    const found: unknown[] = [];
    let cursor: string | undefined;
    let step = 0;
    do {
      const query = new URLSearchParams({
        namePrefix: 'walk',
        limit: '2',
        ...(cursor && { cursor }),
      });
      const { body } = await registry.ask(`/v1/places?${query.toString()}`);
      const page = body as { items: { id: string }[]; cursor?: string };
      found.push(...page.items.map(({ id }) => id));
      cursor = page.cursor;
      await rename('walker', `walk-${10 + ((step++ * 5) % 12)}a`);
    } while (cursor !== undefined);
    expect(found.filter((id) => id !== 'walker')).toEqual(kept);
  });

  it('gives all of them row by row', async () => {
    const path = '/v1/places?namePrefix=list';
    const lines = await registry.ask(path, { headers: { accept: 'application/x-ndjson' } });
    expect((lines.body as { name: string }[]).map(({ name }) => name)).toEqual(sorted);
    const csv = await registry.ask(`${path}&limit=1`, { headers: { accept: 'text/csv' } });
    expect(csv.body).toMatch(
      /^id,name,registeredAt,version,labels\r\nlisted-9,list Attic,[\d:.TZ-]+,1,\r\n$/,
    );
  });

  it('rejects a cursor of another request', async () => {
    const { body } = await registry.ask('/v1/places?limit=1');
    const { cursor = '' } = body as { cursor?: string };
    for (const path of ['/v1/places?namePrefix=x&', '/v1/rooms?', '/v1/devices?']) {
      const query = new URLSearchParams({ cursor });
      const answer = await registry.ask(path + query.toString());
      expect(answer).toMatchObject({ status: 400, body: { type: '/problems/invalid-cursor' } });
    }
  });
});

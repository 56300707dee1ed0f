import { roomItem } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, itemsOf, minute, move, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';

const registry = openBeforeAll(startRegistry);

const namesIn = async (path: string, parameters: Record<string, string>) =>
  itemsOf(await walk(registry, path, parameters)).map(({ name }) => name);

describe('the rooms and devices of a place', () => {
  const names = [
    'attic',
    'Flat 1',
    'flat 2',
    'Flat 010',
    'FLAT 100',
    'Flat 100b',
    '部屋2',
    '部屋１０',
  ];

  beforeAll(async () => {
    await build(registry, 'tower');
    for (const [index, name] of names.toReversed().entries()) {
      const path = pathOf('rooms', 'tower', `r${index}`);
      expect(await registry.ask(path, { method: 'PUT', body: { name } })).toMatchObject({
        status: 201,
      });
      await registry.put(aDevice({ id: `d${index}`, name }));
      await move(registry, `d${index}`, 'tower', { since: minute(0) });
    }
  });

  it.each(['rooms', 'devices'])('have %s in natural order of their names', async (part) => {
    const path = `/v1/places/tower/${part}`;
    for (const limit of ['1', '3', '100']) {
      expect(await namesIn(path, { order: 'name', limit })).toEqual(names);
      expect(await namesIn(path, { limit })).toEqual(names.toReversed());
    }
    const rows = await registry.ask(`${path}?order=name`, { headers: { accept: 'text/csv' } });
    expect(String(rows.body).indexOf('flat 2')).toBeLessThan(String(rows.body).indexOf('Flat 010'));
  });

  it('have a cursor for their order only, and need a place', async () => {
    const { body } = await registry.ask('/v1/places/tower/rooms?order=name&limit=1');
    const { cursor = '' } = body as { cursor?: string };
    const other = await registry.ask(`/v1/places/tower/rooms?limit=1&cursor=${cursor}`);
    expect(other).toMatchObject({ status: 400, body: { type: '/problems/invalid-cursor' } });
    const none = await registry.ask('/v1/places/none/rooms?order=name');
    expect(none).toMatchObject({ status: 404, body: { type: '/problems/place-not-found' } });
  });

  it('are not sorted by name if there are more than 5,000', async () => {
    await build(registry, 'city');
    const writer = registry.table.batchWriter();
    const rooms = Array.from({ length: 5001 }, (_, index) => ({
      ...{ place: 'city', id: `r${index}`, name: `Room ${index}` },
      ...{ registeredAt: 0, version: 1 },
    }));
    await Promise.all(rooms.map((room) => writer.put(roomItem(room, 1))));
    writer.close();
    const refused = await registry.ask('/v1/places/city/rooms?order=name');
    expect(refused).toMatchObject({ status: 400, body: { errors: [{ path: 'query.order' }] } });
    await registry.table.delete({ pk: 'PLACE#city', sk: 'ROOM#r7' });
    const [first] = await walk(registry, '/v1/places/city/rooms', { order: 'name', limit: '1000' });
    expect(first?.items.slice(6, 9).map(({ name }) => name)).toEqual([
      'Room 6',
      'Room 8',
      'Room 9',
    ]);
  });
});

describe('a prefix without accents', () => {
  const found = ['Cafe West', 'CAFÉ Nord', 'café süd', 'Ćafé', 'C\u0327afe\u0301 Ost'];
  const others = ['Cave', 'Kafe', 'Çay', 'Éclair', 'かふぇ', 'zebra'];

  beforeAll(async () => {
    await build(registry, 'street');
    for (const [index, name] of [...found, ...others].entries()) {
      await build(registry, `n${index}`, [], name);
      const path = pathOf('rooms', 'street', `n${index}`);
      await registry.ask(path, { method: 'PUT', body: { name } });
      await registry.put(aDevice({ id: `n${index}`, name }));
      await move(registry, `n${index}`, 'street', { since: minute(0) });
    }
  });

  it.each([
    ['/v1/places', {}],
    ['/v1/rooms', {}],
    ['/v1/devices', {}],
    ['/v1/devices', { place: 'street' }],
    ['/v1/devices', { status: 'active' }],
  ])('finds names with accents in %s %j', async (path, filter) => {
    const plain = await namesIn(path, { ...filter, namePrefix: 'cafe' });
    expect(plain).toEqual(['Cafe West']);
    for (const namePrefix of ['cafe', 'CAFÉ', 'ćafé']) {
      const whole = await namesIn(path, { ...filter, namePrefix, ignoreAccents: 'true' });
      expect(whole.toSorted()).toEqual(found.toSorted());
      for (const limit of ['1', '2', '5']) {
        const paged = { ...filter, namePrefix, ignoreAccents: 'true', limit };
        expect(await namesIn(path, paged)).toEqual(whole);
      }
    }
  });

  it('reads only names with the first letter, and those that begin with an accent', async () => {
    const cost = await registry.costOf(() =>
      registry.ask('/v1/places?namePrefix=cafe&ignoreAccents=true'),
    );
    expect(cost).toEqual({ Query: 3 });
  });
});

import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, foundIn, make, ownName, pathOf, put } from './entities.ts';
import { ask, idsIn, problemOf, walk } from './list-queries.ts';
import { getType, putType, untilBuilt } from './types.ts';

const room = {
  attributes: [
    { name: 'name', kind: 'text' },
    { name: 'area', kind: 'number' },
    { name: 'floor', kind: 'number' },
  ],
};
const byName = { name: 'byName', parts: [{ attribute: 'name' }] };
const byFloor = { name: 'byFloor', parts: [{ attribute: 'floor' }, { attribute: 'name' }] };
const byArea = { name: 'byArea', parts: [{ attribute: 'area' }] };
const long = 'x'.repeat(700);
/** Numbers of 38 digits that differ in the last digit. */
const large = '12345678901234567890123456789012345678';
const smaller = '12345678901234567890123456789012345677';

describe('a search that is added to a type with entities', () => {
  const often = { TYPE_REFRESH_MS: '50', TASK_REFRESH_MS: '200' };
  const catalog = openBeforeAll(() => startCatalog({ ...often, TYPE_SETTLE_MS: '0' }));
  let Room: string;
  beforeEach(async () => {
    Room = ownName('Room');
    await declare(catalog, { [Room]: room });
  });

  async function build(searches: readonly object[]): Promise<void> {
    await putType(catalog, Room, { ...room, searches });
    await untilBuilt(catalog, Room);
  }

  function patch(id: string, attributes: object) {
    return catalog.ask(pathOf(Room, id), { method: 'PATCH', body: { attributes } });
  }

  const leftOutOf = async () => (await getType(catalog, Room)).leftOut;

  it('sorts numbers of 38 digits by value', async () => {
    for (const [id, area] of Object.entries({ a: large, b: smaller, c: '1e37', d: '12' })) {
      const body = `{"attributes": {"area": ${area}}}`;
      await catalog.ask(pathOf(Room, id), { method: 'PUT', body });
    }
    await build([byArea]);
    expect(await foundIn(catalog.table, Room, 'byArea')).toEqual(['d', 'c', 'b', 'a']);
    const found = await ask<{ items: { id: string }[] }>(catalog, ['search', Room, 'byArea'], {
      eq: large,
    });
    expect(idsIn([found])).toEqual(['a']);
    const from = await walk<{ id: string }>(catalog, ['search', Room, 'byArea'], {
      from: smaller,
    });
    expect(idsIn(from)).toEqual(['b', 'a']);
    expect(await leftOutOf()).toBeUndefined();
  });

  it('reports entities that it leaves out', async () => {
    await make(
      catalog,
      [Room, 'long', { attributes: { name: long, floor: 1 } }],
      [Room, 'short', { attributes: { name: 'short', floor: 1 } }],
    );
    await build([byName, byFloor]);
    const shown = (search: string) => ({
      search,
      count: 1,
      examples: [{ id: 'long', reason: expect.stringContaining('700 bytes') as string }],
    });
    expect(await leftOutOf()).toEqual([shown('byFloor'), shown('byName')]);
    expect(await foundIn(catalog.table, Room, 'byName')).toEqual(['short']);

    expect(await patch('long', { name: 'now short' })).toMatchObject({ status: 200 });
    expect(await leftOutOf()).toBeUndefined();
    expect(await foundIn(catalog.table, Room, 'byName')).toEqual(['long', 'short']);
  });

  it('does not block other changes of entities that it leaves out', async () => {
    await make(catalog, [Room, 'long', { attributes: { name: long, floor: 1, area: 1 } }]);
    await build([byName, byFloor, byArea]);
    expect(await patch('long', { floor: 2 })).toMatchObject({
      status: 200,
      body: { attributes: { name: long, floor: 2 } },
    });
    expect(await patch('long', { area: 3 })).toMatchObject({ status: 200 });
    const sentBack = { attributes: { name: long, floor: 3 } };
    expect(await put(catalog, [Room, 'long'], sentBack)).toMatchObject({ status: 200 });
    expect((await leftOutOf())?.map(({ search }) => search)).toEqual(['byFloor', 'byName']);

    const refused = await patch('long', { name: `${long}y` });
    expect(problemOf(refused)).toMatchObject({ status: 400, paths: ['body.attributes.name'] });
    expect(problemOf(await put(catalog, [Room, 'new'], sentBack))).toMatchObject({ status: 400 });
  });

  it('stops reporting deleted entities, and all entities after the search is removed', async () => {
    await make(
      catalog,
      [Room, 'first', { attributes: { name: long, floor: 1 } }],
      [Room, 'second', { attributes: { name: long } }],
    );
    await build([byName, byFloor]);
    await catalog.ask(pathOf(Room, 'first'), { method: 'DELETE' });
    expect(await leftOutOf()).toMatchObject([{ search: 'byName', count: 1 }]);
    await build([byFloor]);
    expect(await leftOutOf()).toBeUndefined();
  });
});

describe('automatic attributes added to a type with entities', () => {
  const catalog = openBeforeAll(() => startCatalog({ TYPE_SETTLE_MS: '0' }));
  const Room = 'Room';
  beforeAll(() => declare(catalog, { [Room]: room }));

  it('have values immediately, and are searchable', async () => {
    await make(catalog, [Room, 'old', { attributes: { name: 'old' } }]);
    const automatic = [
      { name: 'updatedAt', kind: 'instant', automatic: 'updated' },
      { name: 'createdAt', kind: 'instant', automatic: 'created' },
    ];
    const attributes = [...room.attributes, ...automatic];
    await putType(catalog, Room, { attributes });
    await untilBuilt(catalog, Room);
    const { body } = await catalog.ask(pathOf(Room, 'old'));
    const old = body as { createdAt: string; updatedAt: string; version: number };
    const { createdAt, updatedAt, version } = old;
    expect(old).toMatchObject({ attributes: { name: 'old', createdAt, updatedAt } });
    expect(version).toBe(1);
    const searches = [{ name: 'byTime', parts: [{ attribute: 'updatedAt' }] }];
    await putType(catalog, Room, { attributes, searches });
    await untilBuilt(catalog, Room);
    expect(await foundIn(catalog.table, Room, 'byTime')).toEqual(['old']);
  });
});

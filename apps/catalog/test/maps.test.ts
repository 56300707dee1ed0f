import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, ownName, pathOf, quiet } from './entities.ts';
import { ask, problemOf } from './list-queries.ts';

const mergePatchType = 'application/merge-patch+json';
const type = {
  attributes: [
    { name: 'options', kind: 'map' },
    { name: 'blocks', kind: 'list' },
    { name: 'plays', kind: 'number' },
  ],
};

describe('a change inside a map', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));

  /** An entity with this map, and requests to it. */
  async function madeWith(options: object, more: object = {}) {
    const name = ownName('Device');
    await declare(catalog, { [name]: { ...type, ...more } });
    await make(catalog, [name, '1', { attributes: { options } }]);
    const patch = (body: object, contentType = 'application/json') =>
      catalog.ask(pathOf(name, '1'), {
        method: 'PATCH',
        headers: { 'content-type': contentType },
        body,
      });
    const read = async () =>
      (await ask<{ attributes: Record<string, unknown> }>(catalog, ['entities', name, '1']))
        .attributes;
    return { name, patch, read };
  }

  it('is a merge under the media type of merge patches (RFC 7396)', async () => {
    const { patch, read } = await madeWith({ theme: 'dark', size: { w: 1, h: 2 }, list: [1, 2] });
    const options = {
      theme: null,
      size: { h: 3, d: null },
      list: [null],
      add: 1,
      new: { a: null },
    };
    await patch({ attributes: { options, blocks: [{ a: null }] } }, mergePatchType);
    expect(await read()).toEqual({
      options: { size: { w: 1, h: 3 }, list: [null], add: 1, new: {} },
      blocks: [{ a: null }],
    });
    // A map that does not exist yet, and numbers as before.
    await patch({ attributes: { options: null } }, mergePatchType);
    await patch({ attributes: { options: { a: { b: 1 } }, plays: { add: 2 } } }, mergePatchType);
    await patch({ attributes: { options: { a: { c: 0.1 } }, plays: { add: 2 } } }, mergePatchType);
    expect(await read()).toMatchObject({ options: { a: { b: 1, c: 0.1 } }, plays: 4 });
    await patch({ attributes: { options: { a: 1 } } });
    expect(await read()).toMatchObject({ options: { a: 1 } });
  });

  it('is also a merge in an undeclared attribute of an open type', async () => {
    const { patch, read } = await madeWith({}, { additional: true });
    await patch({ attributes: { other: { a: 1, b: [1] } } }, mergePatchType);
    await patch({ attributes: { other: { b: null, c: { d: 2 } } } }, mergePatchType);
    expect(await read()).toMatchObject({ other: { a: 1, c: { d: 2 } } });
  });

  it('adds, appends, sets and removes by JSON Pointer, and keeps the rest', async () => {
    const { patch, read } = await madeWith({ counts: { visits: 1, 'a/b~c': 2 }, log: ['x'], z: 1 });
    const inside = {
      '/counts/visits': { add: 0.2 },
      '/counts/a~1b~0c': { add: 1 },
      '/new/deep': { add: 5 },
      '/log': { append: [{ y: null }] },
      '/theme': { set: { a: [1] } },
      '/z': null,
    };
    expect(await patch({ inside: { options: inside } })).toMatchObject({ status: 200 });
    expect((await read())['options']).toEqual({
      counts: { visits: 1.2, 'a/b~c': 3 },
      new: { deep: 5 },
      log: ['x', { y: null }],
      theme: { a: [1] },
    });
  });

  it('loses no addition among concurrent ones', async () => {
    const { patch, read } = await madeWith({ counts: { visits: 0 } });
    const one = { inside: { options: { '/counts/visits': { add: 1 } } } };
    const answers = await Promise.all(Array.from({ length: 20 }, () => patch(one)));
    const added = answers.filter(({ status }) => status === 200).length;
    expect(added).toBeGreaterThan(0);
    expect((await read())['options']).toEqual({ counts: { visits: added } });
  });

  it('is made on conditions on values inside the map', async () => {
    const { name, patch, read } = await madeWith({ stock: { red: 1 } });
    const take = (conditions: object) => ({
      inside: { options: { '/stock/red': { add: -1 } } },
      conditions: { options: { inside: conditions } },
    });
    const isLeft = { '/stock/red': { atLeast: 1 }, '/stock/blue': { exists: false } };
    expect(await patch(take(isLeft))).toMatchObject({ status: 200 });
    expect(problemOf(await patch(take(isLeft)))).toEqual({
      status: 409,
      type: 'condition-failed',
      paths: ['body.conditions.options.stock.red.atLeast'],
    });
    // One update of the item, and a transaction.
    const equals = { options: { inside: { '/stock/red': { equals: 0 } } } };
    expect(await patch({ attributes: { plays: 1 }, conditions: equals })).toMatchObject({
      status: 200,
    });
    const operation = { operation: 'patch', type: name, id: '1', ...take(isLeft) };
    const body = { operations: [operation] };
    expect(await catalog.ask('/v1/transactions', { method: 'POST', body })).toMatchObject({
      status: 409,
    });
    expect(await read()).toEqual({ options: { stock: { red: 0 } }, plays: 1 });
  });

  it('is refused where it does not fit', async () => {
    const { patch, read } = await madeWith({ a: 'text', b: [1] });
    const invalid = [
      { a: { add: 1 } },
      { '/a': { add: 1 } },
      { '/a': { append: [1] } },
      { '/a/b': { set: 1 } },
      { '/b/0': { set: 1 } },
      { '/c': { add: '1' } },
      { '/c': { set: 1, add: 1 } },
      { '/c': { set: 1 }, '/c/d': { set: 1 } },
      { '/__proto__': { set: 1 } },
      {},
    ];
    for (const options of invalid) {
      expect(problemOf(await patch({ inside: { options } }))).toMatchObject({
        status: 400,
        paths: ['body.inside.options'],
      });
    }
    const wrong = [{ plays: { '/a': { add: 1 } } }, { none: { '/a': { add: 1 } } }];
    for (const inside of wrong) expect(await patch({ inside })).toMatchObject({ status: 400 });
    const both = { attributes: { options: {} }, inside: { options: { '/c': { set: 1 } } } };
    expect(problemOf(await patch(both)).paths).toEqual(['body.inside.options']);
    expect((await read())['options']).toEqual({ a: 'text', b: [1] });
  });
});

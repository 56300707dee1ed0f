import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, foundIn, make, pathOf, put, quiet } from './entities.ts';
import { problemOf } from './list-queries.ts';
import { putType, untilBuilt } from './types.ts';
import type { TestResponse } from './catalog.ts';

const thing = { attributes: [{ name: 'name', kind: 'text' }], additional: true };

describe('an open type', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, TYPE_SETTLE_MS: '0' }));
  beforeAll(() => declare(catalog, { Thing: thing }));

  const patch = (id: string, attributes: object, conditions?: object): Promise<TestResponse> => {
    const body = { attributes, ...(conditions && { conditions }) };
    return catalog.ask(pathOf('Thing', id), { method: 'PATCH', body });
  };
  const attributesOf = ({ body }: TestResponse) => (body as { attributes: object }).attributes;

  it('stores undeclared attributes with any name and JSON', async () => {
    const attributes = {
      name: 'lamp',
      constructor: 1.5,
      nothing: null,
      list: [1, null, { a: [] }],
      map: { add: 1, deep: { er: true } },
      'a#b.c': '',
    };
    expect(attributesOf(await put(catalog, ['Thing', 'a'], { attributes }))).toEqual(attributes);
    const whole = await catalog.ask(pathOf('Thing', 'a'));
    expect(attributesOf(whole)).toEqual(attributes);
    const { items } = (await catalog.ask('/v1/entities/Thing')).body as {
      items: { attributes: object }[];
    };
    expect(items[0]?.attributes).toEqual(attributes);
    // Sending the response back changes nothing.
    const again = await put(catalog, ['Thing', 'a'], {
      attributes: attributesOf(whole) as Record<string, unknown>,
    });
    expect(again.body).toMatchObject({ version: 1 });
  });

  it('changes them in one request; null removes them', async () => {
    await make(catalog, ['Thing', 'b', { attributes: { count: 1, nothing: null } }]);
    const cost = await catalog.costOf(async () => {
      // An undeclared attribute is set to the map, never incremented.
      const answer = await patch('b', { count: { add: 1 }, more: [1], nothing: null });
      expect(attributesOf(answer)).toEqual({ count: { add: 1 }, more: [1] });
      expect((await patch('b', { nothing: null })).body).toMatchObject({ version: 2 });
    });
    expect(cost).toEqual({ UpdateItem: 2 });
    expect((await patch('b', { x: 1 }, { more: { equals: [1] } })).status).toBe(200);
    expect((await patch('b', { x: 2 }, { more: { exists: false } })).status).toBe(409);
    expect((await patch('b', { x: 2 }, { x: { atLeast: '1' } })).status).toBe(409);
  });

  it('still validates declared attributes, and all names', async () => {
    for (const attributes of [{ name: 1 }, { name: null }, { '': 1 }, { ['x'.repeat(1100)]: 1 }]) {
      expect(problemOf(await put(catalog, ['Thing', 'c'], { attributes }))).toMatchObject({
        status: 400,
      });
    }
    const text = '{"attributes": {"__proto__": 1}}';
    const answer = await catalog.ask(pathOf('Thing', 'c'), { method: 'PUT', body: text });
    expect(answer.status).toBe(400);
  });

  it('cannot be closed while it has entities', async () => {
    const { attributes } = thing;
    const refused = await putType(catalog, 'Thing', { attributes });
    expect(problemOf(refused)).toEqual({
      status: 409,
      type: 'type-in-use',
      paths: ['body.additional'],
    });
    await declare(catalog, { Empty: thing });
    expect((await putType(catalog, 'Empty', { attributes })).body).toMatchObject({
      additional: false,
    });
    expect((await putType(catalog, 'Empty', thing)).body).toMatchObject({ additional: true });
  });

  it('may declare existing attributes later; values of another kind are returned, but not indexed', async () => {
    await declare(catalog, { Later: thing });
    const later = (id: string, attributes: object) =>
      make(catalog, ['Later', id, { attributes: { ...attributes } }]);
    await later('fits', { size: 5, tags: 'x' });
    await later('map', { size: { a: 1 }, tags: ['a', 'b'] });
    await later('text', { size: 'large', seen: 'yesterday' });
    const declared = {
      attributes: [
        ...thing.attributes,
        { name: 'size', kind: 'number' },
        { name: 'tags', kind: 'set' },
        { name: 'seen', kind: 'instant' },
      ],
      searches: [
        { name: 'bySize', parts: [{ attribute: 'size' }] },
        { name: 'byTag', parts: [{ attribute: 'tags' }] },
        { name: 'bySeen', parts: [{ attribute: 'seen' }] },
      ],
      rankings: [{ name: 'largest', attribute: 'size' }],
      fullText: ['tags'],
      additional: true,
    };
    expect((await putType(catalog, 'Later', declared)).status).toBe(200);
    await untilBuilt(catalog, 'Later');
    const found = (search: string) => foundIn(catalog.table, 'Later', search);
    expect([await found('bySize'), await found('largest')]).toEqual([['fits'], ['fits']]);
    expect([await found('byTag'), await found('bySeen')]).toEqual([[], []]);
    expect(attributesOf(await catalog.ask(pathOf('Later', 'map')))).toEqual({
      size: { a: 1 },
      tags: ['a', 'b'],
    });
    const change = (id: string, attributes: object) =>
      catalog.ask(pathOf('Later', id), { method: 'PATCH', body: { attributes } });
    // Changes of other attributes keep the value; a new value must fit.
    expect((await change('map', { name: 'x' })).status).toBe(200);
    expect(problemOf(await change('map', { size: { add: 1 } }))).toMatchObject({
      status: 400,
      paths: ['body.attributes.size'],
    });
    expect(problemOf(await change('map', { tags: { append: ['c'] } }))).toMatchObject({
      status: 400,
      paths: ['body.attributes.tags'],
    });
    expect(attributesOf(await change('map', { size: 7, tags: ['c'] }))).toEqual({
      name: 'x',
      size: 7,
      tags: ['c'],
    });
    expect([await found('largest'), await found('byTag')]).toEqual([['map', 'fits'], ['map']]);
  });
});

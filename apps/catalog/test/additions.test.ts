import { entityKey } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, foundIn, make, pathOf, quiet } from './entities.ts';
import { problemOf } from './list-queries.ts';
import type { TestResponse } from './catalog.ts';

const game = {
  attributes: [
    { name: 'score', kind: 'number' },
    { name: 'coins', kind: 'number' },
    { name: 'likes', kind: 'number' },
    { name: 'tags', kind: 'set' },
    { name: 'sizes', kind: 'set', of: 'number' },
    { name: 'marks', kind: 'set' },
    { name: 'options', kind: 'map' },
  ],
  searches: [{ name: 'byLikes', parts: [{ attribute: 'likes' }, { attribute: 'marks' }] }],
  rankings: [{ name: 'byScore', attribute: 'score' }],
};

const digits = '12345678901234567890123456789012345678';

describe('PATCH relative to the current value', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(() => declare(catalog, { Game: game }));

  const patch = (id: string, body: object | string, headers: Record<string, string> = {}) =>
    catalog.ask(pathOf('Game', id), { method: 'PATCH', body, headers });
  const attributesOf = ({ body }: TestResponse) => (body as { attributes: object }).attributes;

  it('adds to a number, or to 0, in one UpdateItem', async () => {
    await make(catalog, ['Game', 'a', { attributes: {} }]);
    const cost = await catalog.costOf(async () => {
      for (const add of [5, -2, 0.1, 0.2]) await patch('a', { attributes: { coins: { add } } });
    });
    expect(cost).toEqual({ UpdateItem: 4 });
    expect(attributesOf(await catalog.ask(pathOf('Game', 'a')))).toEqual({ coins: 3.3 });
    const same = await patch('a', { attributes: { coins: { add: 0 } } });
    expect(same.body).toMatchObject({ version: 5, attributes: { coins: 3.3 } });
  });

  it('adds exactly, and refuses a sum of more than 38 digits', async () => {
    await make(catalog, ['Game', 'b', { attributes: {} }]);
    await patch('b', `{"attributes": {"coins": {"add": ${digits}}}}`);
    await patch('b', { attributes: { coins: { add: 1 } } });
    const text = await (await fetch(catalog.api + pathOf('Game', 'b'))).text();
    expect(text).toContain('"coins":12345678901234567890123456789012345679');
    const refused = await patch('b', { attributes: { coins: { add: 0.1 } } });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            path: 'body.attributes.coins',
            message: expect.stringContaining('39 digits') as string,
          },
        ],
      },
    });
  });

  it('adds to a score and updates its ranking with one GetItem and one UpdateItem', async () => {
    await make(
      catalog,
      ['Game', 'c', { attributes: {} }],
      ['Game', 'd', { attributes: { score: 7 } }],
    );
    const cost = await catalog.costOf(async () => {
      for (let time = 0; time < 3; time++) await patch('c', { attributes: { score: { add: 5 } } });
    });
    expect(cost).toEqual({ GetItem: 3, UpdateItem: 3 });
    expect(await foundIn(catalog.table, 'Game', 'byScore')).toEqual(['c', 'd']);
    expect(attributesOf(await catalog.ask(pathOf('Game', 'c')))).toEqual({ score: 15 });
  });

  it('appends to and removes from a set in one UpdateItem', async () => {
    await make(catalog, ['Game', 'e', { attributes: { tags: ['x', 'y'], sizes: [1] } }]);
    const cost = await catalog.costOf(async () => {
      const tags = { append: ['a', 'constructor', 'a.b', '#'], remove: ['x', 'nothing'] };
      const sizes = { append: [2.5, 1], remove: [] };
      const answer = await patch('e', { attributes: { tags, sizes, coins: { add: 1 } } });
      expect(attributesOf(answer)).toEqual({
        tags: ['#', 'a', 'a.b', 'constructor', 'y'],
        sizes: [1, 2.5],
        coins: 1,
      });
      const same = await patch('e', { attributes: { tags, sizes } });
      expect(same.body).toMatchObject({ version: 2 });
    });
    expect(cost).toEqual({ UpdateItem: 2 });
    expect(
      attributesOf(await patch('e', { attributes: { sizes: { remove: [1, 2.5] } } })),
    ).toMatchObject({ sizes: [] });
  });

  it('changes searched attributes and many members with a transaction', async () => {
    await make(catalog, ['Game', 'f', { attributes: { likes: 1, marks: ['a'] } }]);
    const cost = await catalog.costOf(async () => {
      const attributes = { likes: { add: 2 }, marks: { append: ['b'] }, coins: { add: 1 } };
      expect(attributesOf(await patch('f', { attributes }))).toEqual({
        likes: 3,
        marks: ['a', 'b'],
        coins: 1,
      });
    });
    expect(cost).toEqual({ Query: 1, TransactWriteItems: 1 });
    const many = Array.from({ length: 500 }, (_, index) => `m${1000 + index}`);
    expect(
      attributesOf(await patch('f', { attributes: { tags: { append: many } } })),
    ).toMatchObject({ tags: many });
    expect(
      attributesOf(await patch('f', { attributes: { tags: { remove: many.slice(1) } } })),
    ).toMatchObject({ tags: ['m1000'] });
  });

  it('stores an object as the value of a map', async () => {
    await make(catalog, ['Game', 'g', { attributes: { options: { a: 1 } } }]);
    expect(attributesOf(await patch('g', { attributes: { options: { add: 1 } } }))).toEqual({
      options: { add: 1 },
    });
  });

  it('refuses a body that is neither a value nor a change', async () => {
    await make(catalog, ['Game', 'h', { attributes: { tags: ['a'] } }]);
    for (const attributes of [
      { coins: { add: 'x' } },
      { coins: { add: 1, more: 1 } },
      { coins: { append: [1] } },
      { tags: { add: ['b'] } },
      { tags: { append: ['b'], remove: ['b'] } },
      { tags: { append: 'b' } },
    ]) {
      const answer = await patch('h', { attributes });
      const [path] = Object.keys(attributes);
      expect(problemOf(answer)).toMatchObject({
        status: 400,
        paths: [`body.attributes.${path ?? ''}`],
      });
    }
  });

  it('is refused with the current value if a condition is not met, with and without a read', async () => {
    const attributes = { coins: 3, likes: 1, tags: ['a'], marks: ['m'], sizes: [1] };
    await make(catalog, ['Game', 'i', { attributes }]);
    const conditions: [object, string, boolean][] = [
      [{ coins: { atLeast: 3, atMost: 3 } }, 'coins', true],
      [{ coins: { atLeast: 4 } }, 'coins.atLeast', false],
      [{ coins: { atMost: 2.9 } }, 'coins.atMost', false],
      [{ coins: { equals: 3 } }, 'coins', true],
      [{ coins: { equals: 4 } }, 'coins.equals', false],
      [{ score: { exists: false } }, 'score', true],
      [{ score: { atLeast: 0 } }, 'score.atLeast', false],
      [{ score: { atMost: 0 } }, 'score.atMost', false],
      [{ coins: { exists: false } }, 'coins.exists', false],
      [{ tags: { contains: 'a' } }, 'tags', true],
      [{ tags: { contains: 'b' } }, 'tags.contains', false],
      [{ sizes: { contains: 1 } }, 'sizes', true],
      [{ tags: { equals: ['a'] } }, 'tags', true],
      [{ tags: { equals: ['a', 'b'] } }, 'tags.equals', false],
    ];
    for (const [condition, path, holds] of conditions) {
      // An unindexed attribute, a searched attribute, and an unchanged one.
      for (const changed of [
        { options: { now: Math.random() } },
        { likes: Math.random() },
        { tags: ['a'] },
      ]) {
        const answer = await patch('i', { attributes: changed, conditions: condition });
        if (holds) expect(answer.status).toBe(200);
        else {
          expect(problemOf(answer)).toEqual({
            status: 409,
            type: 'condition-failed',
            paths: [`body.conditions.${path}`],
          });
        }
      }
    }
    const refused = await patch('i', {
      attributes: { coins: 1 },
      conditions: { coins: { atLeast: 4 } },
    });
    expect(refused.body).toMatchObject({
      detail: 'body.conditions.coins.atLeast is not met: the attribute is 3.',
    });
    for (const wrong of [
      { nothing: { exists: true } },
      { coins: {} },
      { coins: { above: 1 } },
      { options: { atLeast: {} } },
      { coins: { contains: 1 } },
    ]) {
      expect((await patch('i', { attributes: { coins: 1 }, conditions: wrong })).status).toBe(400);
    }
    expect((await patch('i', { conditions: { coins: { atLeast: 1 } } })).status).toBe(400);
  });

  it('honours If-Match, so a client can retry an addition', async () => {
    await make(catalog, ['Game', 'j', { attributes: { coins: 1 } }]);
    const { headers } = await catalog.ask(pathOf('Game', 'j'));
    const known = { 'if-match': headers.get('etag') ?? '' };
    expect((await patch('j', { attributes: { coins: { add: 1 } } }, known)).status).toBe(200);
    expect((await patch('j', { attributes: { coins: { add: 1 } } }, known)).status).toBe(412);
    expect(attributesOf(await catalog.ask(pathOf('Game', 'j')))).toEqual({ coins: 2 });
  });

  it('deletes the marks of ended processes', async () => {
    await make(catalog, ['Game', 'k', { attributes: { coins: 1 } }]);
    const key = entityKey({ type: 'Game', id: 'k' });
    const old = Array.from({ length: 9 }, (_, index) => [
      `add#old${index}`,
      '01ARZ3NDEKTSV4RRFFQ69G5FAV',
    ]);
    await catalog.table.update(key, { set: Object.fromEntries(old) as Record<string, string> });
    await patch('k', { attributes: { coins: { add: 1 } } });
    const item = await catalog.table.get(key, { consistent: true });
    expect(Object.keys(item ?? {}).filter((name) => name.startsWith('add#'))).toHaveLength(1);
    expect(attributesOf(await catalog.ask(pathOf('Game', 'k')))).toEqual({ coins: 2 });
  });
});

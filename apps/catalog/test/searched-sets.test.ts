import { openBeforeAll, until } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, foundIn, itemsOf, make, pathOf, put } from './entities.ts';
import { ask, idsIn, itemsIn, problemOf, walk } from './list-queries.ts';
import { putType, untilBuilt } from './types.ts';
import type { Page } from './list-queries.ts';

const photo = {
  attributes: [
    { name: 'tags', kind: 'set' },
    { name: 'years', kind: 'set', of: 'number' },
    { name: 'taken', kind: 'number' },
  ],
  relations: [{ name: 'like', to: 'Photo', many: true }],
  searches: [
    { name: 'byTag', parts: [{ attribute: 'tags', as: 'text' }, { attribute: 'taken' }] },
    { name: 'byTagOfAnyCase', parts: [{ attribute: 'tags', as: 'collated' }] },
    { name: 'byYear', parts: [{ attribute: 'years' }] },
  ],
  fullText: ['tags'],
};
const simple = {
  attributes: photo.attributes,
  searches: [{ name: 'byTag', parts: [{ attribute: 'tags' }] }],
};

const names = (count: number, prefix = 't') =>
  Array.from({ length: count }, (_, index) => `${prefix}${100 + index}`);

interface FoundEntity {
  id: string;
  values: Record<string, unknown>;
}

describe('a search of a set', () => {
  const catalog = openBeforeAll(() =>
    startCatalog({ TYPE_SETTLE_MS: '0', TASK_REFRESH_MS: '100' }),
  );
  beforeAll(() => declare(catalog, { Photo: photo, Simple: simple }));

  const find = (search: string, parameters: Record<string, string | number>) =>
    walk<FoundEntity>(catalog, ['search', 'Photo', search], parameters);
  const patch = (id: string, attributes: object) =>
    catalog.ask(pathOf('Photo', id), { method: 'PATCH', body: { attributes } });
  const rowsOf = async (type: string, id: string) =>
    (await itemsOf(catalog.table, type, id)).filter((item) => 'values' in item);

  // The first test: the intent record of a deletion stays for two minutes, and `untilBuilt` would wait for it.
  it('is built from existing entities, and replaces a search of the same name', async () => {
    const { attributes } = photo;
    await declare(catalog, {
      Old: { attributes, searches: [{ name: 's', parts: [{ attribute: 'taken' }] }] },
    });
    await make(
      catalog,
      ['Old', 'a', { attributes: { tags: ['x', 'y'], taken: 1 } }],
      ['Old', 'b', { attributes: { tags: names(26), taken: 1 } }],
      ['Old', 'c', { attributes: { tags: ['y'], years: [1] } }],
    );
    const parts = (attribute: string) => [{ name: 's', parts: [{ attribute }] }];
    expect((await putType(catalog, 'Old', { attributes, searches: parts('tags') })).status).toBe(
      200,
    );
    await untilBuilt(catalog, 'Old');
    // An entity with too many members is left out, and logged.
    expect(await foundIn(catalog.table, 'Old', 's')).toEqual(['a', 'a', 'c']);
    await putType(catalog, 'Old', { attributes, searches: parts('years') });
    await untilBuilt(catalog, 'Old');
    expect(await foundIn(catalog.table, 'Old', 's')).toEqual(['c']);
    expect(await rowsOf('Old', 'a')).toEqual([]);
  });

  it('finds an entity by each member, once, on pages of any size', async () => {
    const ids = names(7, 'p');
    for (const [index, id] of ids.entries()) {
      const tags = ['all', `own ${id}`, index % 2 === 0 ? 'Even' : 'odd', 'ODD'];
      await make(catalog, [
        'Photo',
        id,
        { attributes: { tags, taken: 7 - index, years: [index, 0.5] } },
      ]);
    }
    for (const limit of [1, 2, 3, 100]) {
      const all = await find('byTag', { eq: 'all', limit });
      expect(idsIn(all)).toEqual(ids.toReversed());
      expect(itemsIn(all)[0]).toEqual({ id: 'p106', values: { tags: 'all', taken: 1 } });
      // Members that differ only in case are one row.
      expect(idsIn(await find('byTagOfAnyCase', { eq: 'odd', limit }))).toEqual(ids);
      expect(idsIn(await find('byYear', { eq: '0.5', limit }))).toEqual(ids);
      expect(idsIn(await find('byTag', { prefix: 'own', limit }))).toEqual(ids);
      const each = await find('byYear', { from: 0, to: 1, limit });
      expect(itemsIn(each).map(({ id, values }) => [id, values['years']])).toEqual([
        ['p100', 0],
        ...ids.map((id) => [id, 0.5]),
        ['p101', 1],
      ]);
      expect(idsIn(await find('byYear', { from: 0, to: 1, limit, order: 'descending' }))).toEqual(
        idsIn(each).toReversed(),
      );
    }
    const whole = await ask<Page<{ id: string }>>(catalog, ['search', 'Photo', 'byTag'], {
      eq: 'own p103',
      whole: 'true',
    });
    expect(whole.items).toMatchObject([{ id: 'p103', attributes: { years: [0.5, 3] } }]);
    const found = () => ask<Page<{ id: string }>>(catalog, ['search'], { q: 'own p104' });
    await until('the texts to be found', async () => (await found()).items.length > 0);
    expect(await found()).toMatchObject({ items: [{ id: 'p104' }] });
  });

  it('is updated with each change of the set and of the other parts', async () => {
    await make(catalog, ['Photo', 'x', { attributes: { tags: ['a', 'b'], taken: 1 } }]);
    await patch('x', { tags: { append: ['c'], remove: ['a'] } });
    const tagged = async (tag: string) => idsIn(await find('byTag', { eq: tag }));
    expect([await tagged('a'), await tagged('b'), await tagged('c')]).toEqual([[], ['x'], ['x']]);
    await patch('x', { taken: 2 });
    expect(itemsIn(await find('byTag', { eq: 'c' }))).toEqual([
      { id: 'x', values: { tags: 'c', taken: 2 } },
    ]);
    await put(catalog, ['Photo', 'x'], { attributes: { tags: ['d'], taken: 2 } });
    expect([await tagged('b'), await tagged('c'), await tagged('d')]).toEqual([[], [], ['x']]);
    await patch('x', { taken: null });
    expect(await tagged('d')).toEqual([]);
    expect(idsIn(await find('byTagOfAnyCase', { eq: 'D' }))).toEqual(['x']);
    await patch('x', { tags: [] });
    expect(await rowsOf('Photo', 'x')).toEqual([]);
    await patch('x', { tags: ['e'], taken: 1 });
    await catalog.ask(pathOf('Photo', 'x'), { method: 'DELETE' });
    expect([await tagged('e'), await rowsOf('Photo', 'x')]).toEqual([[], []]);
  });

  it('refuses more than 25 members of an entity with a message', async () => {
    await make(catalog, ['Simple', 'a', { attributes: { tags: names(25) } }]);
    expect(await rowsOf('Simple', 'a')).toHaveLength(25);
    // All rows change in one write.
    await make(catalog, ['Simple', 'a', { attributes: { tags: names(25, 'u') } }]);
    expect(await foundIn(catalog.table, 'Simple', 'byTag')).toHaveLength(25);
    const refused = await put(catalog, ['Simple', 'b'], { attributes: { tags: names(26) } });
    expect(refused).toMatchObject({
      status: 400,
      body: {
        errors: [
          {
            path: 'body.attributes.tags',
            message: expect.stringContaining('at most 25') as string,
          },
        ],
      },
    });
    // Two searches have the set.
    expect(
      (await put(catalog, ['Photo', 'b'], { attributes: { tags: names(13), taken: 1 } })).status,
    ).toBe(400);
    expect(
      (await put(catalog, ['Photo', 'b'], { attributes: { tags: names(12), taken: 1 } })).status,
    ).toBe(201);
    const long = await put(catalog, ['Photo', 'c'], { attributes: { tags: ['ä'.repeat(400)] } });
    expect(problemOf(long)).toMatchObject({ status: 400, paths: ['body.attributes.tags'] });
  });

  it('is updated in a staged write', async () => {
    const others = names(120, 'o');
    const body = others.map((id) => ({ type: 'Photo', id, attributes: { taken: 1 } }));
    await catalog.ask('/v1/entities', { method: 'POST', body });
    const attributes = { tags: names(12, 'm'), taken: 5 };
    expect(
      (await put(catalog, ['Photo', 'many'], { attributes, relations: { like: others } })).status,
    ).toBe(201);
    await patch('many', { tags: names(12, 'n') });
    expect(idsIn(await find('byTag', { eq: 'n111' }))).toEqual(['many']);
    expect(idsIn(await find('byTag', { eq: 'm111' }))).toEqual([]);
    for (const limit of [1, 50, 120]) {
      const first = await ask<Record<'relations' | 'relationParts', { like?: string[] }>>(
        catalog,
        ['entities', 'Photo', 'many'],
        { limit },
      );
      expect(first.relations.like ?? first.relationParts.like).toEqual(others.slice(0, limit));
    }
  });
});

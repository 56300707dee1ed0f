import { attributeFamily, entityListFamily } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';
import { ask, queryResponse, problemOf } from './list-queries.ts';
import { inFourShards } from './shards.ts';
import { startTable } from './table.ts';
import type { Page, Parameters } from './list-queries.ts';

const book = {
  attributes: [
    { name: 'title', kind: 'text' },
    { name: 'pages', kind: 'number' },
  ],
  searches: [{ name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] }],
  rankings: [{ name: 'byPages', attribute: 'pages' }],
};
/** A text of the truncated length: texts with this prefix differ only after it. */
const long = 'x'.repeat(2000);
const titles = [
  ...Array.from({ length: 20 }, (_, index) => `Title ${index}`),
  `${long}1`,
  `${long}2`,
];

describe('total=true, over a table whose index keys have four shards', () => {
  const started = openBeforeAll(startTable);
  beforeAll(async () => {
    const searches = ['byTitle', 'byPages'].map((search) => attributeFamily('Book', search));
    await inFourShards(started.table, entityListFamily('Book'), ...searches);
  });
  const catalog = openBeforeAll(() => catalogOn(started, quiet));
  beforeAll(async () => {
    await declare(catalog, { Book: book });
    // The service reads the shard map before its first query.
    await ask(catalog, ['entities', 'Book']);
    for (const [index, title] of titles.entries()) {
      await make(catalog, ['Book', `b${index}`, { attributes: { title, pages: index } }]);
    }
    await make(catalog, ['Book', 'blank', {}]);
    await catalog.ask(pathOf('Book', 'b0'), { method: 'DELETE' });
  });

  const counted = async (segments: string[], parameters: Parameters) => {
    const given = { limit: 1, total: 'true', ...parameters };
    type CountedPage = Page<object> & { total: number; totalIsExact: boolean };
    const { items, total, totalIsExact } = await ask<CountedPage>(catalog, segments, given);
    expect(items.length).toBe(Math.min(1, total));
    return [total, totalIsExact];
  };

  it.each<[string, string[], Parameters, number]>([
    ['entities of a type', ['entities', 'Book'], {}, 22],
    ['all of a search', ['search', 'Book', 'byTitle'], {}, 21],
    ['a prefix', ['search', 'Book', 'byTitle'], { prefix: 'title 1' }, 11],
    ['a range', ['search', 'Book', 'byTitle'], { from: 'title 5', to: 'title 7' }, 3],
    ['nothing', ['search', 'Book', 'byTitle'], { eq: 'none' }, 0],
    ['a value longer than its index key', ['search', 'Book', 'byTitle'], { eq: `${long}2` }, 1],
    ['a prefix longer than the index key', ['search', 'Book', 'byTitle'], { prefix: long }, 2],
    ['a ranking', ['rankings', 'Book', 'byPages'], {}, 21],
  ])('returns the total of %s', async (_, segments, parameters, count) => {
    expect(await counted(segments, parameters)).toEqual([count, true]);
  });

  it('costs one more Query per shard, for any page', async () => {
    const cost = await catalog.costOf(() => counted(['entities', 'Book'], {}));
    expect(cost).toEqual({ Query: 8 });
    const without = await catalog.costOf(() => ask(catalog, ['entities', 'Book'], { limit: 1 }));
    expect(without).toEqual({ Query: 4 });
  });

  it('is the same on each page', async () => {
    type CountedPage = Page<object> & { total?: number };
    const { cursor } = await ask<CountedPage>(catalog, ['entities', 'Book'], { limit: 20 });
    const next = await ask<CountedPage>(catalog, ['entities', 'Book'], { cursor, total: 'true' });
    expect([next.items.length, next.total]).toEqual([2, 22]);
  });

  it('is refused for entities by id', async () => {
    const answer = await queryResponse(catalog, ['entities', 'Book'], {
      id: ['b1'],
      total: 'true',
    });
    expect(problemOf(answer)).toMatchObject({ status: 400, paths: ['query.total'] });
  });
});

import {
  attributeFamily,
  attributePartition,
  entityListFamily,
  entityListPartition,
  shardMapKey,
  shardOf,
  textChangeFamily,
  textChangePartition,
} from '@engawa/keys';
import { openBeforeAll, until } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';
import { ask, idsIn, walk } from './list-queries.ts';
import { startTable } from './table.ts';
import { putType, untilBuilt } from './types.ts';
import type { IndexName } from '@engawa/table';

const thing = {
  attributes: [
    { name: 'name', kind: 'text', required: true },
    { name: 'size', kind: 'number' },
    { name: 'age', kind: 'number' },
  ],
  searches: [{ name: 'byName', parts: [{ attribute: 'name', as: 'collated' }] }],
  rankings: [
    { name: 'bySize', attribute: 'size', direction: 'descending' },
    { name: 'byAge', attribute: 'age', direction: 'ascending' },
  ],
  fullText: ['name'],
};
const byAgeAgain = { name: 'ofAge', parts: [{ attribute: 'age' }] };

const count = 30;
/** Sorted by name, by size descending and by age; the ids have another order. */
const ids = Array.from({ length: count }, (_, index) => `t${100 + ((index * 11) % count)}`);

const searches = ['byName', 'bySize', 'byAge', 'ofAge'];
const families = [
  entityListFamily('Thing'),
  entityListFamily('Lonely'),
  ...searches.map((search) => attributeFamily('Thing', search)),
  textChangeFamily,
];

describe('the catalog with four shards per index key', () => {
  const started = openBeforeAll(startTable);
  beforeAll(async () => {
    const epochs = [{ since: 0, count: 4, from: Date.now() - 3_600_000 }];
    for (const family of families) await started.table.put({ ...shardMapKey(family), epochs });
  });
  const catalog = openBeforeAll(() =>
    catalogOn(started, { ...quiet, FULL_TEXT_REFRESH_MS: '20', TYPE_SETTLE_MS: '0' }),
  );
  beforeAll(async () => {
    await declare(catalog, { Thing: thing, Lonely: { attributes: [] } });
    // The service reads the shard map before its first query.
    expect(await ask(catalog, ['entities', 'Thing'])).toEqual({ items: [] });
    const things = ids.map((id, index) => {
      const attributes = { name: `Name ${100 + index}`, size: 500 - index, age: 1 };
      return { type: 'Thing', id, attributes };
    });
    expect(await catalog.ask('/v1/entities', { method: 'POST', body: things })).toMatchObject({
      body: { entities: { created: count } },
    });
    for (const [index, id] of ids.entries()) {
      const body = { attributes: { age: index, size: 1000 - index } };
      const answer = await catalog.ask(pathOf('Thing', id), { method: 'PATCH', body });
      expect(answer).toMatchObject({ status: 200 });
    }
  });

  async function sizes(index: IndexName, partition: (shard: number) => string) {
    const shards = [0, 1, 2, 3].map((shard) => ({ index, pk: partition(shard) }));
    const pages = await Promise.all(shards.map((question) => started.table.count(question)));
    return pages.map((page) => page.count);
  }

  it.each([
    ['entities of a type', 'gsi1', (shard: number) => entityListPartition(shard, 'Thing')],
    ['a search', 'gsi2', (shard: number) => attributePartition(shard, 'Thing', 'byName')],
    ['a ranking', 'gsi2', (shard: number) => attributePartition(shard, 'Thing', 'bySize')],
    ['another ranking', 'gsi2', (shard: number) => attributePartition(shard, 'Thing', 'byAge')],
    ['texts', 'gsi2', textChangePartition],
  ] as const)('stores %s in all shards', async (_, index, partition) => {
    const used = await sizes(index, partition);
    expect(used.every((size) => size > 0)).toBe(true);
    expect(used.reduce((sum, size) => sum + size)).toBe(count);
  });

  it.each([1000, 7, 1])('lists entities in order across shards, in pages of %d', async (limit) => {
    const listed = await walk<{ id: string }>(catalog, ['entities', 'Thing'], { limit });
    expect(idsIn(listed)).toEqual(ids.toSorted());
    const asked = { limit, prefix: 'NAME 1' };
    const found = await walk<{ id: string }>(catalog, ['search', 'Thing', 'byName'], asked);
    expect(idsIn(found)).toEqual(ids);
    for (const ranking of ['bySize', 'byAge']) {
      const path = ['rankings', 'Thing', ranking];
      const ranked = await walk<{ id: string; rank: number }>(catalog, path, { limit });
      expect(idsIn(ranked)).toEqual(ids);
      const ranks = ranked.flatMap(({ items }) => items.map(({ rank }) => rank));
      expect(ranks).toEqual(ids.map((_, index) => index + 1));
    }
  });

  it('returns the rank and neighbours of each entity', async () => {
    for (const [index, id] of ids.entries()) {
      const answer = await ask<{ rank: number; items: { id: string }[] }>(
        catalog,
        ['rankings', 'Thing', 'bySize', id],
        { neighbours: 2 },
      );
      expect(answer.rank).toBe(index + 1);
      expect(idsIn([answer])).toEqual(ids.slice(Math.max(0, index - 2), index + 3));
    }
  });

  it('finds texts of entities in all shards', async () => {
    const found = async () => {
      const answer = await catalog.ask('/v1/search?q=name&limit=100');
      return answer.status === 200 ? idsIn([answer.body as { items: { id: string }[] }]) : [];
    };
    await until('all to be found', async () => (await found()).length === count);
    expect((await found()).toSorted()).toEqual(ids.toSorted());
  });

  it('costs one Query per shard', async () => {
    // A replica that rarely polls for text changes.
    const still = await catalogOn(started, quiet);
    try {
      await until('the full-text index to be built', async () => {
        return (await still.ask('/v1/search?q=name')).status === 200;
      });
      for (const path of [
        '/v1/entities/Thing?limit=5',
        '/v1/search/Thing/byName?limit=5',
        '/v1/rankings/Thing/byAge?limit=5',
      ]) {
        expect(await still.costOf(() => still.ask(path))).toEqual({ Query: 4 });
      }
    } finally {
      await still.close();
    }
  });

  it('builds a search from entities in all shards', async () => {
    await putType(catalog, 'Thing', { ...thing, searches: [...thing.searches, byAgeAgain] });
    await untilBuilt(catalog, 'Thing');
    const found = await walk<{ id: string }>(catalog, ['search', 'Thing', 'ofAge'], { limit: 7 });
    expect(idsIn(found)).toEqual(ids);
  });

  it('refuses to delete a type with an entity in the last shard', async () => {
    const id = Array.from({ length: 100 }, (_, index) => `l${index}`).find(
      (one) => shardOf(one, 4) === 3,
    );
    await make(catalog, ['Lonely', id ?? '', {}]);
    const refused = await catalog.ask('/v1/types/Lonely', { method: 'DELETE' });
    expect(refused).toMatchObject({ status: 409, body: { type: '/problems/type-in-use' } });
    await catalog.ask(pathOf('Lonely', id ?? ''), { method: 'DELETE' });
    const gone = await catalog.ask('/v1/types/Lonely', { method: 'DELETE' });
    expect(gone).toMatchObject({ status: 204 });
  });
});

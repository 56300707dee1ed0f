import { entityKey } from '@engawa/keys';
import { relationItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { ask, queryResponse, idsIn, itemsIn, pathTo, problemOf, walk } from './list-queries.ts';
import type { Page, Parameters } from './list-queries.ts';

interface RelatedEntity {
  type: string;
  id: string;
  relations: string[];
  direction: string;
  entity?: { id: string };
}
type CountedPage = Page<RelatedEntity> & { total?: number; totalIsExact?: boolean };

const types = {
  Person: {},
  Room: { relations: [{ name: 'house', to: 'House' }] },
  House: {
    relations: [
      { name: 'owner', to: 'Person' },
      { name: 'guests', to: 'Person', many: true },
      { name: 'next', to: 'House', many: true },
    ],
  },
};

describe('GET /v1/entities/{type}/{id}/related', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, types);
    await make(catalog, ...['ann', 'ben', 'cho'].map((id) => ['Person', id, {}] as const));
    await make(catalog, ['House', 'b', {}], ['House', 'alone', {}]);
    const relations = { owner: 'ann', guests: ['ann', 'ben', 'cho'], next: ['b'] };
    await make(catalog, ['House', 'a', { relations }]);
    await make(catalog, ['House', 'c', { relations: { next: ['a', 'b'] } }]);
    const rooms = ['bath', 'hall', 'study'];
    await make(catalog, ...rooms.map((id) => ['Room', id, { relations: { house: 'a' } }] as const));
  });

  const path = ['entities', 'House', 'a', 'related'];
  const related = (parameters?: Parameters) => ask<CountedPage>(catalog, path, parameters);
  const forward = ['b', 'ann', 'ben', 'cho'];
  const backward = ['c', 'bath', 'hall', 'study'];

  it('lists related entities of all types in both directions with one Query per direction', async () => {
    const cost = await catalog.costOf(async () => {
      const { items, ...rest } = await related();
      expect(rest).toEqual({});
      expect(items.slice(0, 2)).toEqual([
        { direction: 'forward', type: 'House', id: 'b', relations: ['next'] },
        { direction: 'forward', type: 'Person', id: 'ann', relations: ['owner', 'guests'] },
      ]);
      expect(items.at(-1)).toEqual({
        ...{ direction: 'backward', type: 'Room', id: 'study', relations: ['house'] },
      });
      expect(items.map(({ id }) => id)).toEqual([...forward, ...backward]);
    });
    expect(cost).toEqual({ Query: 2 });
  });

  it.each([1, 2, 3, 4, 5, 100])('paginates in pages of %i', async (limit) => {
    const ids = async (parameters: Parameters) =>
      idsIn(await walk<RelatedEntity>(catalog, path, { limit, ...parameters }));
    expect(await ids({})).toEqual([...forward, ...backward]);
    expect(await ids({ direction: 'backward' })).toEqual(backward);
    expect(await ids({ order: 'descending' })).toEqual([
      ...forward.toReversed(),
      ...backward.toReversed(),
    ]);
    expect(await ids({ relation: 'next' })).toEqual(['b', 'c']);
  });

  it('costs one Query per page of one direction', async () => {
    const cost = await catalog.costOf(() => related({ direction: 'forward', limit: 2 }));
    expect(cost).toEqual({ Query: 1 });
    const { cursor } = await related({ limit: 2 });
    expect(await catalog.costOf(() => related({ limit: 2, cursor }))).toEqual({ Query: 1 });
  });

  it('counts related entities with one more Query per direction', async () => {
    const cost = await catalog.costOf(async () => {
      const { items, total, totalIsExact } = await related({ limit: 1, total: 'true' });
      expect([items.length, total, totalIsExact]).toEqual([1, 8, true]);
    });
    expect(cost).toEqual({ Query: 3 });
    expect(await related({ total: 'true', direction: 'backward' })).toMatchObject({ total: 4 });
    expect(await related({ total: 'true', relation: 'guests' })).toMatchObject({ total: 3 });
  });

  it('includes the entities with whole=true', async () => {
    const pages = await walk<RelatedEntity>(catalog, path, { whole: 'true', limit: 3 });
    expect(itemsIn(pages).map(({ entity }) => entity?.id)).toEqual([...forward, ...backward]);
  });

  it('streams related entities as rows', async () => {
    const csv = await catalog.ask(pathTo(path, { limit: 5 }), { headers: { accept: 'text/csv' } });
    const lines = String(csv.body).trimEnd().split('\r\n');
    expect([lines.length, lines[0]]).toEqual([6, 'direction,type,id,relations,attributes']);
  });

  it('distinguishes an entity without relations from a missing one', async () => {
    expect(await ask(catalog, ['entities', 'House', 'alone', 'related'])).toEqual({ items: [] });
    const nobody = await queryResponse(catalog, ['entities', 'House', 'nobody', 'related']);
    expect(problemOf(nobody)).toMatchObject({ status: 404, type: 'entity-not-found' });
    const toast = await queryResponse(catalog, ['entities', 'Toast', 'a', 'related']);
    expect(problemOf(toast)).toMatchObject({ status: 404, type: 'type-not-found' });
  });

  it('refuses a cursor of the other order', async () => {
    const { cursor } = await related({ limit: 1 });
    const answer = await queryResponse(catalog, path, { limit: 1, order: 'descending', cursor });
    expect(problemOf(answer)).toMatchObject({ status: 400, type: 'invalid-cursor' });
  });

  it('lists and counts related entities of one type in descending order', async () => {
    const one = [...path, 'Person'];
    const asks = { order: 'descending', limit: 2 };
    expect(idsIn(await walk<RelatedEntity>(catalog, one, asks))).toEqual(['cho', 'ben', 'ann']);
    const rooms = [...path, 'Room'];
    expect(idsIn(await walk<RelatedEntity>(catalog, rooms, asks))).toEqual([
      'study',
      'hall',
      'bath',
    ]);
    const cost = await catalog.costOf(async () => {
      expect(await ask(catalog, rooms, { limit: 1, total: 'true' })).toMatchObject({ total: 3 });
    });
    expect(cost).toEqual({ Query: 2 });
  });

  it('counts staged rows as before their write', async () => {
    const from = { type: 'House', id: 'b' };
    const staged = { write: 'w', relations: ['guests'] };
    const to = { type: 'Person', id: 'ann' };
    await catalog.table.put(relationItem({ from, to, relations: [], at: 1, staged }));
    const count = async () => {
      const asks = { direction: 'forward', total: 'true' };
      return (await ask<CountedPage>(catalog, ['entities', 'House', 'b', 'related'], asks)).total;
    };
    expect(await count()).toBe(0);
    await catalog.table.put(
      relationItem({
        from,
        to,
        relations: ['guests'],
        at: 1,
        staged: { write: 'v', relations: [] },
      }),
    );
    expect(await count()).toBe(1);
    await catalog.table.update(entityKey(from), { remove: ['staging'] });
  });
});

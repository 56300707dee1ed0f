import { entityKey } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, makeNamed, put, quiet } from './entities.ts';
import { ask, queryResponse, byBytes, idsIn, pathTo, problemOf, walk } from './list-queries.ts';
import type { Page, Parameters } from './list-queries.ts';

interface EntityResponse {
  id: string;
  attributes: Record<string, unknown>;
}

interface EntityBatch {
  items: EntityResponse[];
  missing?: string[];
}

const types = {
  Song: {
    attributes: [
      { name: 'title', kind: 'text' },
      { name: 'constructor', kind: 'number' },
    ],
    relations: [
      { name: 'artist', to: 'Artist', many: false },
      { name: 'covers', to: 'Song', many: true },
    ],
  },
  Artist: {},
  'Song#': {},
};

const ids = ['a', 'a#', 'a#0', 'a$', 'a1', '#', '__proto__', '\ue000', '😀', '居間'].toSorted(
  byBytes,
);

describe('GET /v1/entities/{type}', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, types);
    await make(catalog, ['Artist', 'x', {}], ['Song#', '0', {}]);
    for (const id of ids.toReversed()) {
      await make(catalog, [
        'Song',
        id,
        { attributes: { title: `=${id}`, constructor: 5 }, relations: { artist: 'x' } },
      ]);
    }
  });

  const list = (parameters?: Parameters) =>
    walk<EntityResponse>(catalog, ['entities', 'Song'], parameters);
  const batch = (id: readonly string[]) => ask<EntityBatch>(catalog, ['entities', 'Song'], { id });

  it('costs the same with `whole` if the type has no relation to many', async () => {
    const flat = {
      attributes: [{ name: 'name', kind: 'text' }],
      relations: [{ name: 'artist', to: 'Artist' }],
    };
    await declare(catalog, { Flat: flat });
    const names = Array.from({ length: 100 }, (_, index) => `n${1000 + index}`);
    await makeNamed(catalog, 'Flat', names);
    const page = (whole: string) => catalog.ask(`/v1/entities/Flat?limit=100&whole=${whole}`);
    const [plain, whole] = [await page('false'), await page('true')];
    expect(whole.body).toEqual(plain.body);
    expect(whole.headers.get('engawa-units')).toBe(plain.headers.get('engawa-units'));
    expect(await catalog.costOf(() => page('true'))).toEqual({ Query: 1 });
  });

  it('lists entities by id, without relations to many, with one Query', async () => {
    const cost = await catalog.costOf(async () => {
      const pages = await list();
      expect(idsIn(pages)).toEqual(ids);
      expect(pages[0]?.items[0]).toMatchObject({
        type: 'Song',
        id: '#',
        attributes: { title: '=#', constructor: 5 },
        relations: { artist: 'x' },
        version: 1,
      });
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it.each([1, 3, 5])('returns each entity once in pages of %d, in both orders', async (limit) => {
    const pages = await list({ limit });
    expect(idsIn(pages)).toEqual(ids);
    expect(pages).toHaveLength(Math.ceil(ids.length / limit));
    expect(idsIn(await list({ limit, order: 'descending' }))).toEqual(ids.toReversed());
  });

  it('returns the current state of an entity', async () => {
    const later = { attributes: { title: 'later' } };
    await put(catalog, ['Song', 'a1'], later);
    const items = (await list()).flatMap((page) => page.items);
    const changed = items.find(({ id }) => id === 'a1');
    expect(changed).toMatchObject({ ...later, relations: {}, version: 2 });
  });

  it('returns 100 entities by id with one BatchGetItem, in the requested order', async () => {
    const missing = Array.from({ length: 100 - ids.length }, (_, index) => `nobody ${index}`);
    const order = [...missing.slice(0, 9), ...ids.toReversed(), ...missing.slice(9)];
    const cost = await catalog.costOf(async () => {
      const { items, ...rest } = await batch(order);
      expect(idsIn([{ items }])).toEqual(ids.toReversed());
      expect(rest).toEqual({ missing });
    });
    expect(cost).toEqual({ BatchGetItem: 1 });
  });

  it('returns a repeated id once, and no placeholder of a write', async () => {
    const name = { type: 'Song', id: 'placeholder' };
    await catalog.table.put({ ...entityKey(name), gone: true, version: 0, writeId: 'w' });
    const { items, missing } = await batch(['a', name.id, 'a']);
    expect(idsIn([{ items }])).toEqual(['a']);
    expect(missing).toEqual([name.id]);
  });

  it('streams rows as CSV without formulas', async () => {
    const accept = 'application/x-ndjson';
    const rows = await catalog.ask(pathTo(['entities', 'Song']), { headers: { accept } });
    expect(idsIn([{ items: rows.body as EntityResponse[] }])).toEqual(ids);
    const address = pathTo(['entities', 'Song'], { id: ['a#', 'a'] });
    const csv = await catalog.ask(address, { headers: { accept: 'text/csv' } });
    const lines = String(csv.body).trimEnd().split('\r\n');
    expect(lines).toHaveLength(3);
    expect(lines[0]).toBe(
      'id,attributes.title,attributes.constructor,relations.artist,createdAt,updatedAt,version',
    );
    expect(lines[2]).toMatch(/^a,'=a,5,x,2.*Z,2.*Z,1$/);
  });

  it.each<[Parameters, string[]]>([
    [{ id: 'a', limit: 5 }, ['query.limit']],
    [{ id: 'a', order: 'ascending', whole: 'true' }, ['query.order', 'query.whole']],
    [{ id: ['a', '..'] }, ['query.id[1]']],
    [{ id: Array.from({ length: 101 }, (_, index) => `${index}`) }, ['query.id']],
    [{ order: 'up' }, ['query.order']],
    [{ ids: 'a' }, ['query.ids']],
  ])('refuses %j', async (parameters, paths) => {
    const answer = await queryResponse(catalog, ['entities', 'Song'], parameters);
    expect(problemOf(answer)).toEqual({ status: 400, type: 'invalid-request', paths });
  });

  it('refuses a cursor of another type, and an unknown type', async () => {
    const [{ cursor } = {} as Page<EntityResponse>] = await list({ limit: 1 });
    const answer = await queryResponse(catalog, ['entities', 'Artist'], { cursor });
    expect(problemOf(answer)).toMatchObject({ status: 400, type: 'invalid-cursor' });
    for (const parameters of [{}, { id: 'a' }]) {
      const unknown = await queryResponse(catalog, ['entities', 'Son'], parameters);
      expect(problemOf(unknown)).toMatchObject({ status: 404, type: 'type-not-found' });
    }
  });
});

import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declareMusic, foundIn, itemsOf, make, pathOf, quiet } from './entities.ts';
import type { TestResponse } from './catalog.ts';

describe('PATCH /v1/entities/{type}/{id}', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  let Artist: string;
  let Track: string;
  beforeEach(async () => {
    ({ Artist, Track } = await declareMusic(catalog));
    const attributes = { title: 'Heroes', released: 1977, plays: 10, likes: 1 };
    await make(
      catalog,
      [Artist, '1', { attributes: { name: 'David Bowie' } }],
      [Artist, '2', { attributes: { name: 'Queen' } }],
      [Track, '4', { attributes, relations: { artist: '1', featuring: ['1'] } }],
    );
  });

  function patch(body: object, headers: Record<string, string> = {}): Promise<TestResponse> {
    return catalog.ask(pathOf(Track, '4'), { method: 'PATCH', body, headers });
  }

  it('changes unindexed attributes and the own ranking with one UpdateItem', async () => {
    const before = (await catalog.ask(pathOf(Track, '4'))).body as { updatedAt: string };
    let answer = {};
    const cost = await catalog.costOf(async () => {
      answer = await patch({ attributes: { plays: 11, live: true } });
    });
    expect(cost).toEqual({ UpdateItem: 1 });
    expect(answer).toMatchObject({
      status: 200,
      body: { version: 2, attributes: { title: 'Heroes', plays: 11, live: true, likes: 1 } },
    });
    const [item] = (await itemsOf(catalog.table, Track, '4')).filter(
      (one) => 'gsi1pk' in one && 'writeId' in one,
    );
    expect(item?.['gsi2sk']).toMatch(/#4$/);
    const after = (await catalog.ask(pathOf(Track, '4'))).body as typeof before;
    expect(after.updatedAt > before.updatedAt).toBe(true);
    expect(after).toMatchObject({ attributes: { changedAt: after.updatedAt } });
    expect(await patch({ attributes: { plays: null } })).toMatchObject({ status: 200 });
    expect(await foundIn(catalog.table, Track, 'byPlays')).toEqual([]);
  });

  it('costs a Query and a transaction if another item depends on the change', async () => {
    for (const attributes of [{ likes: 5 }, { released: 1978 }, { title: 'Helden' }]) {
      const cost = await catalog.costOf(async () => {
        expect(await patch({ attributes })).toMatchObject({ body: { attributes } });
      });
      expect(cost).toEqual({ Query: 1, TransactWriteItems: 1 });
    }
    const { items } = await catalog.table.query({ index: 'gsi2', pk: `A#${Track}#byTitle#0` });
    expect(items).toMatchObject([{ gsi2sk: 'helden#4', values: { title: 'Helden' } }]);
    const whole = await catalog.ask(pathOf(Track, '4'));
    expect(whole).toMatchObject({ body: { relations: { artist: '1', featuring: ['1'] } } });
  });

  it('replaces, changes and removes relations', async () => {
    await patch({ relations: { artist: '2', featuring: { add: ['2'], remove: ['1', 'nobody'] } } });
    const whole = () => catalog.ask(pathOf(Track, '4'));
    expect(await whole()).toMatchObject({ body: { relations: { artist: '2', featuring: ['2'] } } });
    const { items } = await catalog.table.query({
      index: 'gsi2',
      pk: `A#${Track}#byArtistAndYear#0`,
    });
    expect(items).toMatchObject([{ values: { artist: '2', released: 1977 } }]);
    await patch({ relations: { artist: null, featuring: ['1', '2'] } });
    const { body } = await whole();
    expect((body as { relations: object }).relations).toEqual({ featuring: ['1', '2'] });
    expect(await foundIn(catalog.table, Track, 'byArtistAndYear')).toEqual([]);
  });

  it('loses no change of two concurrent writers', async () => {
    const counted = Array.from({ length: 20 }, (_, index) => index);
    await Promise.all([
      ...counted.map((index) => patch({ attributes: { plays: index } })),
      ...counted.map((index) => patch({ attributes: { likes: index } })),
      patch({ relations: { featuring: { add: ['2'], remove: [] } } }),
      patch({ attributes: { live: true } }),
    ]);
    const { body } = await catalog.ask(pathOf(Track, '4'));
    const { version, attributes } = body as { version: number; attributes: Record<string, number> };
    // One of the two may have found its value already set.
    expect(version).toBeGreaterThan(40);
    expect(body).toMatchObject({
      attributes: { live: true },
      relations: { featuring: ['1', '2'] },
    });
    const { items } = await catalog.table.query({ index: 'gsi2', pk: `A#${Track}#byLikes#0` });
    expect(items).toMatchObject([{ values: { likes: attributes['likes'] } }]);
  });

  it('honours If-Match, with and without a read', async () => {
    for (const attributes of [{ plays: 1 }, { likes: 7 }]) {
      const refused = await patch({ attributes }, { 'if-match': '"77"' });
      expect(refused).toMatchObject({ status: 412, body: { type: '/problems/version-mismatch' } });
    }
    const { headers } = await catalog.ask(pathOf(Track, '4'));
    const known = { 'if-match': headers.get('etag') ?? '' };
    expect(await patch({ attributes: { plays: 1 } }, known)).toMatchObject({
      body: { version: 2 },
    });
  });

  it('refuses values that do not fit the type, and missing entities', async () => {
    expect(await patch({ attributes: { title: null } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.attributes.title' }] },
    });
    expect(await patch({ relations: { featuring: { add: 'x' } } })).toMatchObject({
      status: 400,
      body: { errors: [{ path: 'body.relations.featuring' }] },
    });
    expect(await patch({})).toMatchObject({ status: 400 });
    for (const attributes of [{ plays: 1 }, { likes: 1 }]) {
      const body = { attributes };
      const answer = await catalog.ask(pathOf(Track, '5'), { method: 'PATCH', body });
      expect(answer).toMatchObject({ status: 404, body: { type: '/problems/entity-not-found' } });
    }
    expect(await itemsOf(catalog.table, Track, '5')).toEqual([]);
  });
});

import { entityKey, relationKey } from '@engawa/keys';
import { relationItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import {
  ask,
  queryResponse,
  byBytes,
  idsIn,
  itemsIn,
  pathTo,
  problemOf,
  walk,
} from './list-queries.ts';
import type { Page, Parameters } from './list-queries.ts';

interface RelatedEntity {
  type: string;
  id: string;
  relations: string[];
  entity?: object;
}

const types = {
  Artist: { attributes: [{ name: 'name', kind: 'text' }] },
  'Artist#': {},
  Song: {
    relations: [
      { name: 'artist', to: 'Artist', many: false },
      { name: 'constructor', to: 'Artist', many: true },
      { name: 'covers', to: 'Song', many: true },
      { name: 'other', to: 'Artist#', many: true },
    ],
  },
};

/** Ids that are prefixes of others, contain separators, or sort differently by UTF-16 and by bytes. */
const artists = ['1', '10', '1#', '#', 'a/b', '\ue000', '😀', '居間', 'x'].toSorted(byBytes);

describe('GET /v1/entities/{type}/{id}/related/{otherType}', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, types);
    await make(catalog, ...artists.map((id) => ['Artist', id, {}] as const));
    await make(catalog, ['Artist#', '1', {}], ['Artist', 'alone', {}]);
    const relations = { constructor: artists, artist: '10', other: ['1'] };
    await make(catalog, ['Song', 's', { relations }]);
    await make(catalog, ['Song', 's#2', { relations: { artist: '10', covers: ['s'] } }]);
    await make(catalog, ['Song', 's3', { relations: { covers: ['s', 's#2'] } }]);
  });

  const path = (type: string, id: string, other: string) => [
    'entities',
    type,
    id,
    'related',
    other,
  ];
  const related = (segments: string[], parameters?: Parameters) =>
    ask<Page<RelatedEntity>>(catalog, segments, parameters);

  it('lists targets of one type once each, with one Query', async () => {
    const cost = await catalog.costOf(async () => {
      const { items, ...rest } = await related(path('Song', 's', 'Artist'));
      expect(rest).toEqual({});
      expect(items).toEqual(
        artists.map((id) => {
          const relations = id === '10' ? ['artist', 'constructor'] : ['constructor'];
          return { type: 'Artist', id, relations };
        }),
      );
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it('lists sources of incoming relations with one Query', async () => {
    const cost = await catalog.costOf(async () => {
      const { items } = await related(path('Artist', '10', 'Song'));
      expect(items).toEqual([
        { type: 'Song', id: 's', relations: ['artist', 'constructor'] },
        { type: 'Song', id: 's#2', relations: ['artist'] },
      ]);
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it.each([
    [['Song', 's', 'Artist'], artists],
    [['Song', 's', 'Artist#'], ['1']],
    [['Artist#', '1', 'Song'], ['s']],
    [['Artist', '1', 'Song'], ['s']],
    [['Artist', '1#', 'Song'], ['s']],
  ])('distinguishes similar names: %j', async ([type = '', id = '', other = ''], ids) => {
    for (const limit of [1, 2, 100]) {
      const pages = await walk<RelatedEntity>(catalog, path(type, id, other), { limit });
      expect(idsIn(pages)).toEqual(ids);
      expect(pages).toHaveLength(Math.ceil(ids.length / limit));
    }
  });

  it.each<[string, Parameters, string[]]>([
    ['s3', { direction: 'forward' }, ['s', 's#2']],
    ['s', { direction: 'backward' }, ['s#2', 's3']],
    ['s', { direction: 'forward' }, []],
    ['s', { direction: 'backward', relation: 'covers', limit: 1 }, ['s#2', 's3']],
  ])(
    'requires a direction between entities of the same type: %s %j',
    async (id, parameters, ids) => {
      expect(
        idsIn(await walk<RelatedEntity>(catalog, path('Song', id, 'Song'), parameters)),
      ).toEqual(ids);
    },
  );

  it('filters by relation', async () => {
    const only = (relation: string, limit = 100) =>
      walk<RelatedEntity>(catalog, path('Song', 's', 'Artist'), { relation, limit });
    expect(idsIn(await only('artist'))).toEqual(['10']);
    // All rows are read at once, for any limit.
    const cost = await catalog.costOf(() => only('artist', 1));
    expect(cost).toEqual({ Query: 1 });
    expect(idsIn(await only('constructor', 2))).toEqual(artists);
  });

  it('includes the entities with whole=true, with one more request', async () => {
    const cost = await catalog.costOf(async () => {
      const { items } = await related(path('Artist', '10', 'Song'), { whole: 'true' });
      expect(items[1]).toMatchObject({
        relations: ['artist'],
        entity: { type: 'Song', id: 's#2', relations: { artist: '10' } },
      });
    });
    expect(cost).toEqual({ Query: 1, BatchGetItem: 1 });
  });

  it('distinguishes an entity without relations from a missing one, with one GetItem', async () => {
    const cost = await catalog.costOf(async () => {
      expect(await related(path('Artist', 'alone', 'Song'))).toEqual({ items: [] });
    });
    expect(cost).toEqual({ Query: 1, GetItem: 1 });
    const answer = await queryResponse(catalog, path('Artist', 'nobody', 'Song'));
    expect(problemOf(answer)).toMatchObject({ status: 404, type: 'entity-not-found' });
  });

  it('streams related entities as rows', async () => {
    const address = pathTo(path('Song', 's', 'Artist'), { limit: 3 });
    const csv = await catalog.ask(address, { headers: { accept: 'text/csv' } });
    const lines = String(csv.body).split('\r\n');
    expect(lines.slice(0, 2)).toEqual(['type,id,relations', 'Artist,#,"[""constructor""]"']);
    const accept = 'application/x-ndjson';
    const rows = await catalog.ask(pathTo(path('Song', 's', 'Artist')), { headers: { accept } });
    expect((rows.body as RelatedEntity[]).map(({ id }) => id)).toEqual(artists);
  });

  it.each<[string[], Parameters, string]>([
    [path('Song', 's', 'Song'), {}, 'query.direction'],
    [path('Song', 's', 'Artist'), { direction: 'backward' }, 'query.direction'],
    [path('Artist', '1', 'Artist'), {}, 'path.otherType'],
    [path('Song', 's', 'Artist'), { relation: 'covers' }, 'query.relation'],
    [path('Song', 's', 'Artist'), { relation: '' }, 'query.relation'],
    [path('Song', 's', 'Artist'), { direction: 'up' }, 'query.direction'],
    [path('Song', '\u0001', 'Artist'), {}, 'path.id'],
    [path('Song', 'x'.repeat(129), 'Artist'), {}, 'path.id'],
  ])('refuses %j %j', async (segments, parameters, at) => {
    const answer = await queryResponse(catalog, segments, parameters);
    expect(problemOf(answer)).toEqual({ status: 400, type: 'invalid-request', paths: [at] });
  });

  it.each([
    ['Song', 'Toast'],
    ['toString', 'Song'],
  ])('answers 404 for an unknown type: %s %s', async (type, other) => {
    const answer = await queryResponse(catalog, path(type, 's', other));
    expect(problemOf(answer)).toMatchObject({ status: 404, type: 'type-not-found' });
  });

  it('refuses a cursor of the other direction', async () => {
    const { cursor } = await related(path('Song', 's3', 'Song'), {
      direction: 'forward',
      limit: 1,
    });
    const parameters = { direction: 'backward', cursor };
    const answer = await queryResponse(catalog, path('Song', 's3', 'Song'), parameters);
    expect(problemOf(answer)).toMatchObject({ status: 400, type: 'invalid-cursor' });
  });

  describe('during a staged write', () => {
    const from = { type: 'Song', id: 'staged' };
    const write = 'w2';

    /** The rows of a staged write: `old` is removed, `new` is added, `x` is kept. */
    beforeAll(async () => {
      await make(catalog, ['Artist', 'old', {}], ['Artist', 'new', {}]);
      await make(catalog, ['Song', 'staged', { relations: { constructor: ['old', 'x'] } }]);
      const rows: [string, string[], string[]][] = [
        ['old', ['constructor'], []],
        ['new', [], ['constructor']],
      ];
      for (const [id, relations, staged] of rows) {
        const to = { type: 'Artist', id };
        await catalog.table.put(
          relationItem({ from, to, relations, at: 1, staged: { write, relations: staged } }),
        );
      }
    });

    const settle = () => catalog.table.update(entityKey(from), { set: { settles: write } });
    const forward = () =>
      walk<RelatedEntity>(catalog, path('Song', 'staged', 'Artist'), { limit: 1 });
    const backward = async (id: string) => idsIn([await related(path('Artist', id, 'Song'))]);

    it('returns the old relations before the commit, and the new ones after', async () => {
      expect(idsIn(await forward())).toEqual(['old', 'x']);
      expect([await backward('old'), await backward('new')]).toEqual([['staged'], []]);
      await settle();
      expect(idsIn(await forward())).toEqual(['new', 'x']);
      expect([await backward('old'), await backward('new')]).toEqual([[], ['staged']]);
    });

    it('reads the entity only if rows are staged', async () => {
      const cost = await catalog.costOf(() => backward('new'));
      expect(cost).toEqual({ Query: 1, BatchGetItem: 1 });
      expect(await catalog.costOf(() => backward('x'))).toEqual({ Query: 1 });
      // After the commit, the rows are read again.
      const again = await catalog.costOf(() => related(path('Song', 'staged', 'Artist')));
      expect(again).toEqual({ Query: 2, BatchGetItem: 1 });
    });
  });

  it('omits deleted entities with whole=true', async () => {
    await catalog.table.delete(entityKey({ type: 'Song', id: 's#2' }));
    const { items } = await related(path('Artist', '10', 'Song'), { whole: 'true' });
    expect(items.map(({ id }) => id)).toEqual(['s']);
    expect(itemsIn([await related(path('Artist', '10', 'Song'))])).toHaveLength(2);
    const { pk, sk } = relationKey({ type: 'Song', id: 's#2' }, { type: 'Artist', id: '10' });
    await catalog.table.delete({ pk, sk });
  });
});

import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { ask, queryResponse, idsIn, itemsIn, problemOf, walk } from './list-queries.ts';
import type { EntityInput } from './entities.ts';
import type { Page, Parameters } from './list-queries.ts';

const song = {
  attributes: [
    { name: 'title', kind: 'text', required: true },
    { name: 'year', kind: 'number' },
    { name: 'released', kind: 'instant' },
    { name: 'live', kind: 'boolean' },
    { name: 'constructor', kind: 'text' },
  ],
  relations: [{ name: 'artist', to: 'Artist', many: false }],
  searches: [
    { name: 'byTitle', parts: [{ attribute: 'title', as: 'collated' }] },
    { name: 'exactly', parts: [{ attribute: 'title', as: 'text' }] },
    { name: 'byArtistAndYear', parts: [{ relation: 'artist' }, { attribute: 'year' }] },
    { name: 'byYear#', parts: [{ attribute: 'year' }] },
    { name: 'byYear', parts: [{ attribute: 'released' }] },
    { name: 'toString', parts: [{ attribute: 'live' }, { attribute: 'constructor' }] },
  ],
};

interface FoundEntity {
  id: string;
  values: Record<string, unknown>;
}

const songs: Record<string, EntityInput> = {
  yesterday: {
    attributes: { title: 'Yesterday', year: 1965, released: '1965-08-06T00:00:00Z', live: false },
    relations: { artist: 'beatles' },
  },
  'a#b': { attributes: { title: 'ＹＥＳ', year: -5 }, relations: { artist: 'beat' } },
  help: { attributes: { title: 'Help!', year: 1965.5 }, relations: { artist: 'beatles' } },
  'help#2': { attributes: { title: 'help!', year: 1965.5 }, relations: { artist: 'beatles' } },
  居間: { attributes: { title: '居間', year: 1234567, live: true, constructor: 'a' } },
  '😀': { attributes: { title: '😀', live: true, constructor: 'a#b' } },
  '\ue000': { attributes: { title: '\ue000', live: true, constructor: '' } },
};

describe('GET /v1/search/{type}/{name}', () => {
  const catalog = openBeforeAll(() => startCatalog(quiet));
  beforeAll(async () => {
    await declare(catalog, { Artist: {}, 'Son#g': {}, Song: song });
    await make(catalog, ['Artist', 'beatles', {}], ['Artist', 'beat', {}]);
    await make(
      catalog,
      ...Object.entries(songs).map(([id, given]) => ['Song', id, given] as const),
    );
  });

  const search = (name: string, parameters?: Parameters) =>
    ask<Page<FoundEntity>>(catalog, ['search', 'Song', name], parameters);
  const found = async (name: string, parameters: Parameters) =>
    idsIn(await walk<FoundEntity>(catalog, ['search', 'Song', name], parameters));

  it('lists all entities by a collated attribute, with the matched values, with one Query', async () => {
    const cost = await catalog.costOf(async () => {
      const page = await search('byTitle');
      const order = ['help', 'help#2', 'a#b', 'yesterday', '居間', '\ue000', '😀'];
      expect(idsIn([page])).toEqual(order);
      expect(page).not.toHaveProperty('cursor');
      expect(page.items[0]).toEqual({ id: 'help', values: { title: 'Help!' } });
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it.each<[string, Parameters, string[]]>([
    ['byTitle', { eq: 'HELP!' }, ['help', 'help#2']],
    ['byTitle', { eq: 'HELP' }, []],
    ['byTitle', { prefix: 'yes' }, ['a#b', 'yesterday']],
    ['byTitle', { from: 'YES', to: 'yesterday' }, ['a#b', 'yesterday']],
    ['byTitle', { from: 'YES', to: 'yesterda' }, ['a#b']],
    ['byTitle', { from: '', to: 'HELP!' }, ['help', 'help#2']],
    ['exactly', { eq: 'help!' }, ['help#2']],
    ['exactly', { prefix: 'H' }, ['help']],
    ['exactly', { to: '' }, []],
    ['byYear#', { from: '-5', to: '1965' }, ['a#b', 'yesterday']],
    ['byYear#', { from: '1965.0001' }, ['help', 'help#2', '居間']],
    ['byYear#', { eq: '1.9655E3', order: 'descending' }, ['help#2', 'help']],
    ['byYear', { eq: '1965-08-06T02:00:00+02:00' }, ['yesterday']],
    ['byYear', { from: String(Date.UTC(1965, 7, 6)), to: '-138844800' }, ['yesterday']],
    ['byYear', { eq: '1965-08-06' }, ['yesterday']],
    ['byYear', { eq: '1965-08-06', timeZone: 'Europe/London' }, []], // one hour earlier in summer
    ['byYear', { from: '1965-08-06', to: '1965-08-07', timeZone: 'Europe/London' }, ['yesterday']],
    ['byYear', { eq: '1965-08-06T01:00', timeZone: 'Europe/London' }, ['yesterday']],
    ['byArtistAndYear', { eq: 'beatles' }, ['yesterday', 'help', 'help#2']],
    ['byArtistAndYear', { eq: 'beat' }, ['a#b']],
    ['byArtistAndYear', { eq: ['beatles', '1965.5'] }, ['help', 'help#2']],
    ['byArtistAndYear', { eq: 'beatles', to: '1965.4' }, ['yesterday']],
    ['byArtistAndYear', { from: 'beat', to: 'beat' }, ['a#b']],
    ['toString', { eq: 'true' }, ['\ue000', '居間', '😀']],
    ['toString', { eq: ['true', ''] }, ['\ue000']],
    ['toString', { eq: 'true', to: '' }, ['\ue000']],
    ['toString', { eq: 'true', prefix: 'a' }, ['居間', '😀']],
    ['toString', { eq: ['true', 'a'] }, ['居間']],
    ['toString', { from: 'false', to: 'false' }, []],
  ])('finds by %s %j', async (name, parameters, ids) => {
    expect(await found(name, parameters)).toEqual(ids);
    expect(await found(name, { ...parameters, limit: 1 })).toEqual(ids);
  });

  it('returns whole entities with one more request, without deleted ones', async () => {
    const cost = await catalog.costOf(async () => {
      const items = itemsIn(
        await walk<object>(catalog, ['search', 'Song', 'byTitle'], {
          eq: 'yesterday',
          whole: 'true',
        }),
      );
      expect(items).toMatchObject([
        {
          type: 'Song',
          id: 'yesterday',
          relations: { artist: 'beatles' },
          attributes: { year: 1965 },
          version: 1,
        },
      ]);
    });
    expect(cost).toEqual({ Query: 1, BatchGetItem: 1 });
  });

  it('finds in a range whose end exceeds the truncated part of a key', async () => {
    await declare(catalog, {
      Essay: { attributes: song.attributes, searches: [song.searches[0]] },
    });
    const most = 'a'.repeat(638);
    const titles = { b: `${most}b`, f: `${most}\u00ff`, z: most, '\ue000': `${most}\ue000` };
    const essays = Object.entries(titles);
    await make(
      catalog,
      ...essays.map(([id, title]) => ['Essay', id, { attributes: { title } }] as const),
    );
    const range = (parameters: Parameters) =>
      walk<FoundEntity>(catalog, ['search', 'Essay', 'byTitle'], parameters);
    expect(idsIn(await range({ to: `${most}\u00e9` }))).toEqual(['z', 'b']);
    expect(idsIn(await range({ from: `${most}c` }))).toEqual(['f', '\ue000']);
  });

  it('sends no request if nothing can match', async () => {
    const cost = await catalog.costOf(() => found('exactly', { to: '', limit: 1 }));
    expect(cost).toEqual({ Query: 1 });
    const never = await catalog.costOf(() => found('exactly', { eq: 'a'.repeat(2000) }));
    expect(never).toEqual({});
  });

  it('accepts a cursor only for an equivalent query', async () => {
    const { cursor = '' } = await search('byTitle', { prefix: 'help', limit: 1 });
    const next = await search('byTitle', { prefix: 'ＨＥＬＰ', limit: 5, cursor });
    expect(idsIn([next])).toEqual(['help#2']);
    for (const other of [
      { prefix: 'hel' },
      { eq: 'help' },
      { prefix: 'help', order: 'descending' },
    ]) {
      const answer = await queryResponse(catalog, ['search', 'Song', 'byTitle'], {
        ...other,
        cursor,
      });
      expect(problemOf(answer)).toMatchObject({ status: 400, type: 'invalid-cursor' });
    }
  });

  it.each<[string, Parameters, string[]]>([
    ['byTitle', { eq: ['a', 'b'] }, ['query.eq']],
    ['byTitle', { eq: 'a', prefix: 'b' }, ['query.prefix']],
    ['byTitle', { prefix: 'a', from: 'b' }, ['query.prefix']],
    ['byTitle', { from: 'b', to: 'A' }, ['query.to']],
    ['byArtistAndYear', { eq: ['.', '0x10'] }, ['query.eq[0]', 'query.eq[1]']],
    ['byArtistAndYear', { prefix: 'beat' }, ['query.prefix']],
    ['byYear#', { eq: '1e400' }, ['query.eq[0]']],
    ['byYear#', { eq: '9'.repeat(9000) }, ['query.eq[0]']],
    ['byYear#', { from: '', to: ' 1' }, ['query.from', 'query.to']],
    ['byYear', { eq: '2026-02-30T00:00:00Z' }, ['query.eq[0]']],
    ['byYear', { eq: '1e15' }, ['query.eq[0]']],
    ['byYear', { from: 'now-1y' }, ['query.from']],
    ['byYear', { from: '9999-12-31', timeZone: 'America/New_York', to: '10' }, ['query.to']],
    ['byYear', { from: '0000-01-01', timeZone: 'Asia/Tokyo' }, ['query.from']],
    ['byYear', { from: '1965-01-01', timeZone: 'Mars/Olympus' }, ['query.timeZone']],
    ['toString', { eq: 'yes', whole: 'yes' }, ['query.whole']],
    ['toString', { eq: 'yes' }, ['query.eq[0]']],
    ['byTitle', { limit: 0 }, ['query.limit']],
    ['byTitle', { title: 'a' }, ['query.title']],
  ])('refuses %s %j', async (name, parameters, paths) => {
    const answer = await queryResponse(catalog, ['search', 'Song', name], parameters);
    expect(problemOf(answer)).toEqual({ status: 400, type: 'invalid-request', paths });
  });

  it.each([
    ['Song', 'constructor', 'search-not-found'],
    ['Son', 'byTitle', 'type-not-found'],
    ['Son#g', 'byTitle', 'search-not-found'],
    ['__proto__', 'byTitle', 'type-not-found'],
  ])('answers 404 for an unknown search: %s %s', async (type, name, problem) => {
    const answer = await queryResponse(catalog, ['search', type, name]);
    expect(problemOf(answer)).toMatchObject({ status: 404, type: problem });
  });
});

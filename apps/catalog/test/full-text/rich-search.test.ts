import { openBeforeAll, until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { attributes, record, song } from './filtered-types.ts';
import { startReplica, untilLoaded } from './replica.ts';
import type { TestResponse } from '../catalog.ts';

interface SearchPage {
  items: { type: string; id: string; score?: number; entity?: unknown }[];
  cursor?: string;
  total?: number;
  facets?: unknown;
}

describe('GET /v1/search with filters', () => {
  const started = openBeforeAll(startTable);
  const replica = openBeforeAll(() => startReplica(started, { TYPE_SETTLE_MS: '0' }));
  beforeAll(async () => {
    await untilLoaded(replica);
    await put('types/Song', song);
    await put('types/Record', record);
    await put('types/Plain', { attributes, fullText: ['title'] });
    await store('Song/a', {
      title: 'Heroes',
      note: 'live',
      genre: 'Rock',
      released: 1977,
      plays: 7,
    });
    await store('Song/b', { title: 'Heroes again', genre: 'ＲＯＣＫ', released: 1980 });
    await store('Song/c', { title: 'Lazarus', genre: 'pop', released: 2015 });
    await store('Song/d', {});
    await store('Record/r', { released: 1977 });
    await untilIds('type=Song&type=Record', ['r', 'a', 'b', 'c', 'd']);
  });

  async function put(path: string, body: object): Promise<TestResponse> {
    const answer = await replica.ask(`/v1/${path}`, { method: 'PUT', body });
    if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
    return answer;
  }
  const store = (path: string, given: object) => put(`entities/${path}`, { attributes: given });
  const search = (parameters: string) => replica.ask(`/v1/search?${parameters}`);

  async function find(parameters: string): Promise<SearchPage> {
    const { status, body } = await search(parameters);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as SearchPage;
  }
  const ids = async (parameters: string) => (await find(parameters)).items.map(({ id }) => id);

  async function untilIds(parameters: string, wanted: string[]): Promise<void> {
    await until(`${parameters} to give ${wanted.join()}`, async () => {
      const { status, body } = await search(parameters);
      return (
        status === 200 && (body as SearchPage).items.map(({ id }) => id).join() === wanted.join()
      );
    });
  }

  it.each([
    ['q=heroes&type=Song&filter=released>=1978', ['b']],
    ['q=heroes&type=Song&order=released', ['a', 'b']],
    ['q=heroes&type=Song&order=-released', ['b', 'a']],
    ['type=Song&filter=genre=rock', ['a', 'b']],
    ['type=Song&filter=genre=rock&filter=genre=POP&order=-released', ['c', 'b', 'a']],
    ['type=Song&filter=released>1977&filter=released<2015.0', ['b']],
    ['type=Song&filter=genre', ['a', 'b', 'c']],
    ['type=Song&order=-genre', ['a', 'b', 'c', 'd']],
    ['type=Song&type=Record&filter=released=1977', ['r', 'a']],
    ['type=Song&filter=%67enre=pop', ['c']],
    ['q=!&type=Song', []],
    ['q=herois&type=Song&filter=genre=pop', []],
    ['q=herois&type=Song&filter=released=1980', ['b']],
  ])('supports %s', async (parameters, expected) => {
    expect(await ids(parameters.replaceAll('>', '%3E').replaceAll('<', '%3C'))).toEqual(expected);
  });

  it('returns total and facets on each page', async () => {
    const asked = 'type=Song&filter=released&total=true&facet=genre&facet=released&limit=2';
    const first = await find(asked);
    const counted = {
      total: 3,
      facets: [
        {
          name: 'genre',
          values: [
            { value: 'rock', count: 2 },
            { value: 'pop', count: 1 },
          ],
          others: 0,
        },
        {
          name: 'released',
          values: [1977, 1980, 2015].map((value) => ({ value, count: 1 })),
          others: 0,
        },
      ],
    };
    expect(first).toMatchObject({ items: [{ id: 'a' }, { id: 'b' }], ...counted });
    const second = await find(`${asked}&cursor=${first.cursor}`);
    expect(second).toMatchObject({ items: [{ id: 'c' }], ...counted });
    expect(second.cursor).toBeUndefined();
    expect(await find('q=!&type=Song&total=true&facet=genre')).toMatchObject({
      total: 0,
      facets: [{ name: 'genre', values: [], others: 0 }],
    });
  });

  it('returns the 50 most frequent values, and the count of other values', async () => {
    await put('types/Many', { attributes, filters: [{ attribute: 'released' }] });
    for (let number = 0; number < 53; number++) {
      await store(`Many/m${number}`, { released: number });
    }
    await store('Many/x', { released: 52 });
    await until('all of them', async () => (await find('type=Many&total=true')).total === 54);
    const { facets } = await find('type=Many&facet=released&limit=1');
    const [released] = facets as [{ values: { value: number; count: number }[]; others: number }];
    expect(released.values).toHaveLength(50);
    expect(released.values.slice(0, 2)).toEqual([
      { value: 52, count: 2 },
      { value: 0, count: 1 },
    ]);
    expect(released.others).toBe(3);
  });

  it('accepts a cursor for the same query only; totals, facets and page size may change', async () => {
    const { cursor } = await find('type=Song&filter=genre=rock&filter=genre=pop&limit=1');
    const same = `type=Song&type=Song&filter=genre=POP&filter=genre=rock&cursor=${cursor}`;
    expect(await ids(`${same}&facet=genre&total=true&limit=5`)).toEqual(['b', 'c']);
    for (const other of ['type=Song', 'type=Song&filter=genre=rock', 'type=Song&order=genre']) {
      const answer = await search(`${other}&cursor=${cursor}`);
      expect(answer).toMatchObject({ status: 400, body: { type: '/problems/invalid-cursor' } });
    }
  });

  it('paginates by relevance, with scores', async () => {
    const first = await find('q=heroes&type=Song&limit=1');
    expect(first.items).toEqual([{ type: 'Song', id: 'a', score: expect.any(Number) as number }]);
    expect(await ids(`q=heroes&type=Song&limit=1&cursor=${first.cursor}`)).toEqual(['b']);
    const { items } = await find('q=heroes&type=Song&order=released&limit=1&whole=true');
    expect(items).toMatchObject([{ id: 'a', entity: { attributes: { released: 1977 } } }]);
    expect(items[0]?.score).toBeUndefined();
  });

  it('indexes each change of a filtered value once, including scores and entities without texts', async () => {
    const changes = () => replica.metric('engawa_full_text_changes_total');
    const before = await changes();
    const patch = { method: 'PATCH', body: { attributes: { plays: 8 } } };
    expect(await replica.ask('/v1/entities/Song/a', patch)).toMatchObject({ status: 200 });
    await untilIds('type=Song&filter=plays=8', ['a']);
    const { asOf } = await replica.search({ q: 'x' });
    await until('more polls', async () => (await replica.search({ q: 'x' })).asOf > asOf);
    expect(await changes()).toBe(before + 1);
    await store('Song/a', {
      title: 'Heroes',
      note: 'live',
      genre: 'Rock',
      released: 1977,
      plays: 7,
    });
    await untilIds('type=Song&filter=plays=7', ['a']);
    await store('Record/gone', { released: 1 });
    await untilIds('type=Record&order=released', ['gone', 'r']);
    await replica.ask('/v1/entities/Record/gone', { method: 'DELETE' });
    await untilIds('type=Record&order=released', ['r']);
  });

  it('costs no DynamoDB request, or one with whole=true; a change of a filtered value costs a transaction', async () => {
    const asked = (operation: string) =>
      replica.metric('engawa_table_attempts_total', { operation });
    const count = () => Promise.all(['BatchGetItem', 'TransactWriteItems'].map(asked));
    const [batches = 0, writes = 0] = await count();
    const parameters = 'q=heroes&type=Song&filter=released&order=genre&facet=genre&total=true';
    await find(parameters);
    expect(await count()).toEqual([batches, writes]);
    await find(`${parameters}&whole=true`);
    expect(await count()).toEqual([batches + 1, writes]);
    const patch = { method: 'PATCH', body: { attributes: { genre: 'glam' } } };
    expect(await replica.ask('/v1/entities/Song/b', patch)).toMatchObject({ status: 200 });
    expect(await count()).toEqual([batches + 1, writes + 1]);
    await replica.ask('/v1/entities/Song/b', { ...patch, body: { attributes: { genre: 'Rock' } } });
  });

  it('finds existing entities after an added filter is built', async () => {
    const shelf = { attributes, fullText: ['title'] };
    await put('types/Shelf', shelf);
    await store('Shelf/s', { genre: 'old' });
    const { body } = await put('types/Shelf', { ...shelf, filters: [{ attribute: 'genre' }] });
    expect(body).toMatchObject({
      filters: [{ attribute: 'genre', as: 'text', state: 'building' }],
    });
    await until('the filter to be built', async () => {
      const answer = await search('type=Shelf&filter=genre=old');
      if (answer.status === 200) return true;
      expect(answer).toMatchObject({ status: 409, body: { type: '/problems/search-building' } });
      return false;
    });
    await untilIds('type=Shelf&filter=genre=old', ['s']);
    // Another encoding is another filter.
    await put('types/Shelf', { ...shelf, filters: [{ attribute: 'genre', as: 'collated' }] });
    await untilIds('type=Shelf&filter=genre=OLD', ['s']);
    await put('types/Shelf', shelf);
    expect(await search('type=Shelf&filter=genre=old')).toMatchObject({ status: 400 });
  });

  it.each([
    ['type=Plain', 'query.type'],
    ['filter=genre=rock', 'query.q'],
    ['q=a&filter=genre=rock', 'query.type'],
    ['q=a&order=genre', 'query.type'],
    ['q=a&facet=genre', 'query.type'],
    ['type=Song&filter=title=a', 'query.filter[0]'],
    ['type=Song&filter==a', 'query.filter[0]'],
    ['type=Song&filter=%25zz', 'query.filter[0]'],
    ['type=Song&filter=released=x', 'query.filter[0]'],
    ['type=Song&filter=released=1e999', 'query.filter[0]'],
    ['type=Song&filter=genre=a&filter=none', 'query.filter[1]'],
    ['type=Song&type=Record&filter=genre=a', 'query.filter[0]'],
    ['type=Song&order=-none', 'query.order'],
    ['type=Song&facet=genre&facet=none', 'query.facet[1]'],
    ['type=Song&total=1', 'query.total'],
  ])('refuses %s', async (parameters, path) => {
    const { status, body } = await search(parameters);
    expect(status).toBe(400);
    expect((body as { errors: { path: string }[] }).errors.map((error) => error.path)).toContain(
      path,
    );
  });
});

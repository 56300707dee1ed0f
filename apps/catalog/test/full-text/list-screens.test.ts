import { until } from '@engawa/testing';
import { startTable } from '../table.ts';
import { searchEngines } from './opensearch-engine.ts';
import { startReplica, untilLoaded } from './replica.ts';
import type { StartedTable } from '../table.ts';
import type { Replica } from './replica.ts';

/** Names with operators, of which `!` is one only at an end. */
const photo = {
  attributes: [
    { name: 'tags', kind: 'set' },
    { name: 'years', kind: 'set', of: 'number' },
    { name: 'camera', kind: 'text' },
    { name: 'takenAt', kind: 'instant' },
    { name: 'wow!', kind: 'text' },
    { name: '!x', kind: 'text' },
    { name: 'a!=b', kind: 'text' },
  ],
  relations: [{ name: 'album', to: 'Album' }],
  filters: [
    { attribute: 'tags', as: 'collated' },
    { attribute: 'years' },
    { attribute: 'camera' },
    { attribute: 'takenAt' },
    { attribute: 'wow!' },
    { attribute: '!x' },
    { attribute: 'a!=b' },
    { relation: 'album' },
  ],
};
const paper = {
  attributes: [{ name: 'tags', kind: 'text' }],
  filters: [{ attribute: 'tags', as: 'collated' }],
};

interface Found {
  items: { id: string }[];
  total?: number;
  facets?: { name: string; values: { value: unknown; count: number }[]; others: number }[];
}

describe.each(searchEngines())('GET /v1/search for list screens in %s', (_, engine) => {
  let started: StartedTable;
  let replica: Replica;
  beforeAll(async () => {
    started = await startTable();
    replica = await startReplica(started, { TYPE_SETTLE_MS: '0', ...engine?.environment });
    await untilLoaded(replica);
    await put('types/Album', { attributes: [{ name: 'title', kind: 'text' }] });
    await put('types/Photo', photo);
    await put('types/Paper', paper);
    await put('entities/Album/x', { attributes: { title: 'Summer' } });
    await store('a', { tags: ['Cat', 'ｃａｔ', 'dog'], years: [2, 10], camera: 'k', 'wow!': '1' });
    await store('b', { tags: ['CAT'], years: [5], camera: 'l', '!x': '1', takenAt: 0 });
    await store('c', { tags: [], camera: 'l', 'a!=b': '=c' });
    await put('entities/Photo/d', { relations: { album: 'x' } });
    await untilIds('type=Photo', ['a', 'b', 'c', 'd']);
  });
  afterAll(async () => {
    await replica.close();
    await engine?.removeIndexes();
    await started.close();
  });

  async function put(path: string, body: object): Promise<void> {
    const answer = await replica.ask(`/v1/${path}`, { method: 'PUT', body });
    if (answer.status > 201) throw new Error(JSON.stringify(answer.body));
  }
  const store = (id: string, attributes: object) => put(`entities/Photo/${id}`, { attributes });
  const search = (parameters: string) =>
    replica.ask(`/v1/search?${parameters.replaceAll('>', '%3E').replaceAll('<', '%3C')}`);

  async function find(parameters: string): Promise<Found> {
    const { status, body } = await search(parameters);
    if (status !== 200) throw new Error(JSON.stringify(body));
    return body as Found;
  }
  const idsOf = ({ items }: Found) => items.map(({ id }) => id);

  async function untilIds(parameters: string, wanted: string[]): Promise<void> {
    await until(`${parameters} to find ${wanted.join()}`, async () => {
      const { status, body } = await search(parameters);
      return status === 200 && idsOf(body as Found).join() === wanted.join();
    });
  }

  it('includes attributes of related entities', async () => {
    const asked = 'type=Photo&filter=album&whole=true&include=album.title';
    const { items } = await find(asked);
    const included = { album: { id: 'x', attributes: { title: 'Summer' } } };
    expect(items).toEqual([
      { type: 'Photo', id: 'd', entity: expect.objectContaining({ included }) as object },
    ]);
  });

  it.each([
    ['whole=true', 'query.type'],
    ['type=Photo&type=Album&whole=true', 'query.type'],
    ['type=Photo', 'query.include'],
    ['type=Photo&whole=true&include=camera.title', 'query.include[1]'],
  ])('does not include what %s does not have', async (parameters, path) => {
    const { status, body } = await search(`q=x&include=album.title&${parameters}`);
    expect({ status, body }).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it.each([
    ['a member of a set', 'filter=tags=cat', ['a', 'b']],
    ['one of several members', 'filter=tags=dog&filter=tags=none', ['a']],
    ['no member of a set', 'filter=tags!=dog', ['b', 'c', 'd']],
    ['none of several members', 'filter=tags!=dog&filter=tags!=cat', ['c', 'd']],
    ['a set with members, and without', 'filter=tags', ['a', 'b']],
    ['an empty set as no value', 'filter=!tags', ['c', 'd']],
    ['a member or no value', 'filter=tags=dog&filter=!tags', ['a', 'c', 'd']],
    ['a number in a set', 'filter=years=10', ['a']],
    ['conditions that different members meet', 'filter=years<3&filter=years>9', ['a']],
    ['a value or another', 'filter=camera=k&filter=camera=l', ['a', 'b', 'c']],
    ['another value or none', 'filter=camera!=l', ['a', 'd']],
    ['another value, and one', 'filter=camera!=l&filter=camera', ['a']],
    ['no value', 'filter=!camera', ['d']],
    ['both conditions of one name', 'filter=camera>=a&filter=camera!=k', ['b', 'c']],
    ['a time before now', 'filter=takenAt<now&filter=takenAt<now-1w', ['b']],
    ['a time after now', 'filter=takenAt>now', []],
    ['a relation', 'filter=album!=x', ['a', 'b', 'c']],
    ['no related entity', 'filter=!album', ['a', 'b', 'c']],
    ['a name that ends with !', 'filter=wow%2521=1', ['a']],
    ['a name that ends with !, and !=', 'filter=wow%2521!=1', ['b', 'c', 'd']],
    ['a name that ends with !, and >=', 'filter=wow!>=1', ['a']],
    ['a name that begins with !', 'filter=%2521x', ['b']],
    ['no value of a name that begins with !', 'filter=!%2521x', ['a', 'c', 'd']],
    ['a name that contains !=, and a value that begins with =', 'filter=a%2521%253Db==c', ['c']],
    ['!= of the same', 'filter=a!%253Db!==c', ['a', 'b', 'd']],
    ['a value that is SQL', "filter=tags='%20OR%201=1", []],
    ['a value that is JSON', 'filter=tags=%22]', []],
  ])('finds %s', async (_what, parameters, expected) => {
    expect(idsOf(await find(`type=Photo&${parameters}`))).toEqual(expected);
  });

  it.each([
    ['type=Photo&order=tags', 'query.order'],
    ['type=Photo&order=-years', 'query.order'],
    ['type=Photo&filter=years=x', 'query.filter[0]'],
    ['type=Photo&filter=!', 'query.filter[0]'],
    ['type=Photo&filter=!=x', 'query.filter[0]'],
    ['type=Photo&filter=wow!=1', 'query.filter[0]'],
    ['type=Photo&filter=!camera=1', 'query.filter[0]'],
    ['type=Photo&type=Paper&filter=tags=cat', 'query.filter[0]'],
    ['type=Photo&multiSelect=1', 'query.multiSelect'],
  ])('refuses %s', async (parameters, path) => {
    const answer = await search(parameters);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });

  it('counts each member of a set once per entity', async () => {
    expect(await find('type=Photo&facet=tags&facet=years&total=true')).toMatchObject({
      total: 4,
      facets: [
        {
          values: [
            { value: 'cat', count: 2 },
            { value: 'dog', count: 1 },
          ],
          others: 0,
        },
        { values: [2, 5, 10].map((value) => ({ value, count: 1 })) },
      ],
    });
  });

  it('counts a multi-select facet without the filters of its own name', async () => {
    const asked = 'type=Photo&filter=tags=cat&filter=camera=k&facet=camera&facet=tags&total=true';
    const counts = async (parameters: string) => {
      const { facets = [], total } = await find(parameters);
      const shown = facets.map(({ values }) => values.map(({ value, count }) => [value, count]));
      return { total, shown };
    };
    const tags = [
      ['cat', 1],
      ['dog', 1],
    ];
    expect(await counts(asked)).toEqual({ total: 1, shown: [[['k', 1]], tags] });
    const cameras = [
      ['k', 1],
      ['l', 1],
    ];
    expect(await counts(`${asked}&multiSelect=true`)).toEqual({ total: 1, shown: [cameras, tags] });
    const twice = `${asked}&multiSelect=true&facet=camera`;
    expect(await counts(twice)).toEqual({ total: 1, shown: [cameras, tags, cameras] });
    const excluded = 'type=Photo&filter=camera!=l&filter=!years&facet=camera&multiSelect=true';
    expect(await counts(excluded)).toEqual({ total: undefined, shown: [[['l', 1]]] });
  });

  it('follows members that are appended and removed', async () => {
    const patch = async (change: object) => {
      const body = { attributes: { tags: change } };
      await replica.ask('/v1/entities/Photo/d', { method: 'PATCH', body });
    };
    await patch({ append: ['bird', 'Cat'] });
    await untilIds('type=Photo&filter=tags=bird', ['d']);
    await patch({ remove: ['bird'] });
    await untilIds('type=Photo&filter=tags=bird', []);
    expect(idsOf(await find('type=Photo&filter=tags=cat'))).toEqual(['a', 'b', 'd']);
    await patch({ remove: ['Cat'] });
    await untilIds('type=Photo&filter=!tags', ['c', 'd']);
  });

  it('finds existing members once an added filter is built', async () => {
    const attributes = [{ name: 'tags', kind: 'set' }];
    await put('types/Shelf', { attributes });
    await put('entities/Shelf/s', { attributes: { tags: ['old', 'new'] } });
    await put('types/Shelf', { attributes, filters: [{ attribute: 'tags' }] });
    await untilIds('type=Shelf&filter=tags=old', ['s']);
  });
});

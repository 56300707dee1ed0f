import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';
import { queryResponse, idsIn, problemOf, walk } from './list-queries.ts';
import type { Parameters } from './list-queries.ts';

/** Names and values of maximum size in keys: DynamoDB allows 1,024 bytes (sort key) and 2,048 (partition key). */
const catalog = openBeforeAll(() => startCatalog(quiet));

/** 128 characters with 3 bytes each. */
const longName = (first: string) => first + '温'.repeat(127);
const [type, search, exact, ranking] = ['型', '検', '正', '順'].map(longName) as [
  string,
  string,
  string,
  string,
];
const ids = ['一', '二', '三'].map(longName);
const texts = ['a', 'b', 'c', 'd'].map((name) => ({ name, kind: 'text' }));
const longText = (last: string) => 'ﷺ'.repeat(300) + last;
const equal = (count: number) => Array<string>(count).fill(longText(''));

beforeAll(async () => {
  const parts = texts.map(({ name }) => ({ attribute: name, as: 'collated' }));
  await declare(catalog, {
    [type]: {
      attributes: [...texts, { name: 'n', kind: 'number' }],
      relations: [{ name: 'next', to: type, many: false }],
      searches: [
        { name: search, parts },
        { name: exact, parts: [{ relation: 'next' }, { attribute: 'n' }] },
      ],
      rankings: [{ name: ranking, attribute: 'n', direction: 'descending' }],
    },
  });
  const [first = ''] = ids;
  for (const [n, id] of ids.entries()) {
    const attributes = {
      a: longText(''),
      b: longText(''),
      c: longText(''),
      d: longText(`${n}`),
      n,
    };
    await make(catalog, [type, id, { attributes, relations: n === 0 ? {} : { next: first } }]);
  }
});

const found = async (segments: readonly string[], parameters: Parameters = {}) =>
  idsIn(await walk<{ id: string }>(catalog, segments, { limit: 1, ...parameters }));

it.each<[string, Parameters, number[]]>([
  ['all entities', {}, [0, 1, 2]],
  ['entities by three parts', { eq: equal(3) }, [0, 1, 2]],
  ['an entity by four parts', { eq: [...equal(3), longText('1')] }, [1]],
  ['entities by a prefix', { eq: equal(3), prefix: longText('') }, [0, 1, 2]],
  ['entities from a text on', { eq: equal(3), from: longText('1') }, [1, 2]],
  ['entities up to a text', { eq: equal(3), to: longText('1') }, [0, 1]],
])('a search returns %s in pages of one', async (_, parameters, numbers) => {
  const expected = numbers.map((number) => ids[number]);
  expect((await found(['search', type, search], parameters)).toSorted()).toEqual(
    expected.toSorted(),
  );
});

it('all lists return entities with maximum-length ids in pages of one', async () => {
  const [first = '', ...others] = ids;
  expect((await found(['entities', type])).toSorted()).toEqual(ids.toSorted());
  expect(await found(['rankings', type, ranking])).toEqual(ids.toReversed());
  expect((await found(['search', type, exact], { eq: first })).toSorted()).toEqual(
    others.toSorted(),
  );
});

it.each([
  ['an id', () => catalog.ask(pathOf(type, `${ids[0]}温`), { method: 'PUT', body: {} })],
  ['a type', () => catalog.ask(pathOf(`${type}温`, 'x'), { method: 'PUT', body: {} })],
  [
    'a related id in a search',
    () => queryResponse(catalog, ['search', type, exact], { eq: `${ids[0]}温` }),
  ],
])('%s with one more character is refused', async (_, request) => {
  expect(problemOf(await request())).toMatchObject({ status: 400, type: 'invalid-request' });
});

import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { byBytes, itemsIn, pathTo, walk } from './list-queries.ts';
import type { Page, Parameters } from './list-queries.ts';

const score = {
  attributes: [
    { name: 'points', kind: 'number' },
    { name: 'at', kind: 'instant' },
  ],
  relations: [{ name: 'game', to: 'Game' }],
  rankings: [
    { name: 'byPoints', attribute: 'points', within: 'game' },
    { name: 'upwards', attribute: 'points', direction: 'ascending' },
    {
      name: 'byTime',
      attribute: 'at',
      direction: 'ascending',
      ties: { attribute: 'points', direction: 'descending' },
    },
  ],
};

interface Ranked {
  rank: number;
  id: string;
  value: number | string;
}

const digits = '12345678901234567890';
const points = [-2, -1.5, 0, 7, 7, 7, 8, 1e21];
const scores = points.flatMap((given, index) => [
  { id: `a${index}`, points: given, at: `2026-03-0${1 + (index % 3)}T22:30:00.000Z` },
  { id: `b${index}`, points: given, at: `2026-03-0${1 + (index % 2)}T23:30:00.000Z` },
]);

type Value = number | string;

/** Both are numbers, or both are instants in UTC. */
function compare(left: Value, right: Value): number {
  if (left === right) return 0;
  return left < right ? -1 : 1;
}

/** Standard competition ranks among all, of those whose value is in the range. */
function expected(
  field: 'points' | 'at',
  sign: 1 | -1,
  [from, to]: readonly (Value | undefined)[],
): Ranked[] {
  const isTie = field === 'at';
  const order = (one: (typeof scores)[number], other: (typeof scores)[number]) =>
    sign * compare(one[field], other[field]) || (isTie ? other.points - one.points : 0);
  return scores
    .map((one) => {
      const rank = 1 + scores.filter((other) => order(other, one) < 0).length;
      return { rank, id: one.id, value: one[field] };
    })
    .filter(({ value }) => from === undefined || compare(value, from) >= 0)
    .filter(({ value }) => to === undefined || compare(value, to) <= 0)
    .toSorted((a, b) => a.rank - b.rank || byBytes(a.id, b.id));
}

describe('a range of a ranking', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, RATE_LIMIT_PER_MINUTE: '0' }));
  beforeAll(async () => {
    await declare(catalog, { Game: {}, Score: score });
    await make(catalog, ['Game', 'go', {}], ['Game', 'empty', {}]);
    const body = scores.map(({ id, ...attributes }) => {
      return { type: 'Score', id, attributes, relations: { game: 'go' } };
    });
    expect(await catalog.ask('/v1/entities', { method: 'POST', body })).toMatchObject({
      body: { entities: { created: scores.length } },
    });
  });

  const pages = (name: string, parameters: Parameters) =>
    walk<Ranked>(catalog, ['rankings', 'Score', name], parameters) as Promise<
      (Page<Ranked> & { rankIsExact?: boolean; total?: number })[]
    >;
  const ranked = async (name: string, parameters: Parameters) =>
    itemsIn(await pages(name, parameters)).map(({ rank, id, value }) => ({ rank, id, value }));
  const refused = async (name: string, parameters: Parameters) =>
    catalog.ask(pathTo(['rankings', 'Score', name], parameters));

  it.each([
    [-1.5, 7],
    [7, 7],
    [7.5, undefined],
    [undefined, 0],
    [7.1, 7.9],
    [undefined, digits],
    [-100, 1e30],
  ])('has the values from %s to %s, with their ranks among all', async (from, to) => {
    const bounds = [from, to === undefined ? undefined : Number(to)];
    for (const limit of [2, 1000]) {
      const range = { from, to, limit };
      const down = await ranked('byPoints', { within: 'go', ...range });
      expect(down).toEqual(expected('points', -1, bounds));
      expect(await ranked('upwards', range)).toEqual(expected('points', 1, bounds));
    }
  });

  it('has dates and local times, and ties after the range', async () => {
    const whole = { from: '2026-03-02T00:00:00Z', to: '2026-03-02T23:59:59.999Z' };
    const day = expected('at', 1, ['2026-03-02T00:00:00.000Z', '2026-03-02T23:59:59.999Z']);
    expect(day.length).toBeGreaterThan(5);
    expect(await ranked('byTime', { ...whole, limit: 2 })).toEqual(day);
    expect(await ranked('byTime', { from: '2026-03-02', to: '2026-03-03', limit: 100 })).toEqual(
      day,
    );
    const timeZone = 'Europe/Berlin';
    const local = expected('at', 1, ['2026-03-01T23:00:00.000Z', '2026-03-02T23:00:00.000Z']);
    const asked = { from: '2026-03-02', to: '2026-03-03', timeZone, limit: 3 };
    expect(await ranked('byTime', asked)).toEqual(local);
  });

  it('counts the range, and counts the entities before it on the first page only', async () => {
    const range = { from: 0, to: 7 };
    const [first] = await pages('byPoints', { within: 'go', ...range, total: 'true', limit: 100 });
    expect(first).toMatchObject({ total: 8, rankIsExact: true });
    const requests = async (parameters: Parameters) =>
      (await refused('byPoints', { within: 'go', limit: 2, ...parameters })).headers.get(
        'engawa-requests',
      );
    expect(await requests({})).toBe('query-gsi2=1');
    expect(await requests({ from: 0 })).toBe('query-gsi2=1');
    expect(await requests(range)).toBe('query-gsi2=2');
    const { cursor } = (await refused('byPoints', { within: 'go', limit: 2, ...range }))
      .body as Page<Ranked>;
    expect(await requests({ ...range, cursor })).toBe('query-gsi2=1');
    expect(await refused('byPoints', { within: 'go', from: 0, to: 8, cursor })).toMatchObject({
      status: 400,
      body: { type: '/problems/invalid-cursor' },
    });
  });

  it('may be empty', async () => {
    expect(await ranked('byPoints', { within: 'empty', from: 1 })).toEqual([]);
    expect(await refused('byPoints', { within: 'none', from: 1 })).toMatchObject({ status: 404 });
  });

  it.each([
    ['byPoints', { within: 'go', from: 8, to: 7 }, 'query.to'],
    ['upwards', { from: 8, to: 7 }, 'query.to'],
    ['upwards', { from: '2026-03-01' }, 'query.from'],
    ['byTime', { to: 'soon' }, 'query.to'],
    ['byTime', { to: '2026-03-01', timeZone: 'Nowhere' }, 'query.timeZone'],
  ])('refuses %s %j', async (name, parameters, path) => {
    expect(await refused(name, parameters)).toMatchObject({
      status: 400,
      body: { errors: [{ path }] },
    });
  });
});

import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, put, quiet } from './entities.ts';
import { ask, byBytes, itemsIn, walk } from './list-queries.ts';
import { putType, untilBuilt } from './types.ts';

const ties = { attribute: 'at', direction: 'ascending' };
const score = {
  attributes: [
    { name: 'points', kind: 'number' },
    { name: 'at', kind: 'instant' },
    { name: 'lives', kind: 'number' },
    { name: 'note', kind: 'text' },
  ],
  relations: [{ name: 'game', to: 'Game' }],
  rankings: [
    // The own ranking has its keys on the entities; the other rankings have rows.
    { name: 'byPoints', attribute: 'points', ties },
    { name: 'byPointsInGame', attribute: 'points', ties, within: 'game' },
    {
      name: 'byLives',
      attribute: 'lives',
      direction: 'ascending',
      ties: { attribute: 'points', direction: 'descending' },
    },
  ],
};
/** The own ranking within a relation: a score does not know the parent. */
const round = { ...score, rankings: [{ ...score.rankings[1], name: 'byPoints' }] };

interface Ranked {
  rank: number;
  id: string;
  value: number;
  tie?: string | number;
}

interface Given {
  id: string;
  points: number;
  at?: string;
  lives: number;
}

const timeOf = (second: number) => new Date(Date.UTC(1969, 11, 31, 23, 59, 58 + second));
/** Many are equal in one value, some in both, and some have no time. */
const scores: Given[] = Array.from({ length: 40 }, (_, index) => ({
  id: `s${index % 7}#${index}`,
  points: [10, -0.5, 1e21, 10][index % 4] ?? 0,
  lives: index % 3,
  ...(index % 5 !== 0 && { at: timeOf((index * 3) % 4).toISOString() }),
}));

const compare = (left: number, right: number) => (left < right ? -1 : Number(left > right));
/** Entities without a time come last among equal ones. */
const timeIn = ({ at }: Given) => (at === undefined ? Infinity : Date.parse(at));
const inOrder = {
  byPoints: (a: Given, b: Given) => compare(b.points, a.points) || compare(timeIn(a), timeIn(b)),
  byLives: (a: Given, b: Given) => compare(a.lives, b.lives) || compare(b.points, a.points),
};

function expected(order: keyof typeof inOrder, given: readonly Given[]): Ranked[] {
  const before = inOrder[order];
  return given
    .map((one): Ranked => {
      const rank = 1 + given.filter((other) => before(other, one) < 0).length;
      const { id, points, at, lives } = one;
      if (order === 'byLives') return { rank, id, value: lives, tie: points };
      return { rank, id, value: points, ...(at !== undefined && { tie: at }) };
    })
    .toSorted((a, b) => a.rank - b.rank || byBytes(a.id, b.id));
}

describe('a ranking with ties', () => {
  const catalog = openBeforeAll(() =>
    startCatalog({
      ...quiet,
      TYPE_SETTLE_MS: '0',
      TASK_REFRESH_MS: '100',
      RATE_LIMIT_PER_MINUTE: '0',
    }),
  );
  beforeAll(async () => {
    await declare(catalog, { Game: {}, Score: score, Round: round });
    await make(catalog, ['Game', 'go', {}]);
    for (const type of ['Score', 'Round']) {
      const body = scores.map(({ id, ...attributes }) => {
        return { type, id, attributes, relations: { game: 'go' } };
      });
      expect(await catalog.ask('/v1/entities', { method: 'POST', body })).toMatchObject({
        body: { entities: { created: scores.length } },
      });
    }
  });

  const ranked = async (type: string, name: string, parameters: Record<string, string | number>) =>
    itemsIn(await walk<Ranked>(catalog, ['rankings', type, name], parameters));

  it.each([
    ['Score', 'byPoints', 'byPoints', {}],
    ['Score', 'byPointsInGame', 'byPoints', { within: 'go' }],
    ['Score', 'byLives', 'byLives', {}],
    ['Round', 'byPoints', 'byPoints', { within: 'go' }],
  ] as const)('%s %s is in the order of both values', async (type, name, order, within) => {
    const wanted = expected(order, scores);
    expect(await ranked(type, name, { ...within, limit: 1000 })).toEqual(wanted);
    expect(await ranked(type, name, { ...within, limit: 3 })).toEqual(wanted);
    for (const index of [0, 7, 20, 39]) {
      const { id = '', rank } = wanted[index] ?? {};
      for (const neighbours of [0, 2]) {
        const path = ['rankings', type, name, id];
        const standing = await ask<{ rank: number; items: Ranked[] }>(catalog, path, {
          neighbours,
        });
        expect(standing.rank).toBe(rank);
        const window = wanted.slice(Math.max(0, index - neighbours), index + neighbours + 1);
        expect(standing.items).toEqual(window);
      }
    }
  });

  it('costs one request for both values, and a read before one of them', async () => {
    const patch = (id: string, attributes: object) =>
      catalog.ask(pathOf('Round', id), { method: 'PATCH', body: { attributes } });
    const top = async () => (await ranked('Round', 'byPoints', { within: 'chess' }))[0];
    await make(catalog, ['Game', 'chess', {}]);
    await put(catalog, ['Round', 'r'], { relations: { game: 'chess' } });
    const at = timeOf(1).toISOString();
    // Other requests of the service are not in this header.
    const requests = async (attributes: object) =>
      (await patch('r', attributes)).headers.get('engawa-requests');
    expect(await requests({ points: 5, at })).toBe('update-item=1');
    expect(await requests({ note: 'x' })).toBe('update-item=1');
    expect(await requests({ points: { add: 2 }, at })).toBe('get-item=1, update-item=1');
    expect(await top()).toEqual({ rank: 1, id: 'r', value: 7, tie: at });
    const later = timeOf(2).toISOString();
    expect(await requests({ at: later })).toBe('query=1, transact-write-items=1');
    expect(await top()).toEqual({ rank: 1, id: 'r', value: 7, tie: later });
    await patch('r', { points: 8 });
    expect(await top()).toEqual({ rank: 1, id: 'r', value: 8, tie: later });
    await patch('r', { points: 8, at: null });
    expect(await top()).toEqual({ rank: 1, id: 'r', value: 8 });
    await patch('r', { points: null, at });
    expect(await top()).toBeUndefined();
    await patch('r', { points: 1 });
    expect(await top()).toEqual({ rank: 1, id: 'r', value: 1, tie: at });
  });

  it('is built where an existing ranking gets ties', async () => {
    const before = { ...score, rankings: [{ name: 'byPoints', attribute: 'points' }] };
    await declare(catalog, { Later: before });
    await make(
      catalog,
      ['Later', 'a', { attributes: { points: 1, at: timeOf(2).toISOString() } }],
      ['Later', 'b', { attributes: { points: 1, at: timeOf(1).toISOString() } }],
    );
    const found = async () => (await ranked('Later', 'byPoints', {})).map(({ id }) => id);
    expect(await found()).toEqual(['a', 'b']);
    await putType(catalog, 'Later', score);
    await untilBuilt(catalog, 'Later');
    expect(await found()).toEqual(['b', 'a']);
    expect(await ask(catalog, ['types', 'Later'], {})).toMatchObject({
      rankings: [{ name: 'byPoints', ties }, {}, {}],
    });
  });

  it.each([
    ['the same attribute', { attribute: 'points', direction: 'ascending' }, 'attribute'],
    ['a text', { attribute: 'note', direction: 'ascending' }, 'attribute'],
    ['an undeclared attribute', { attribute: 'none', direction: 'ascending' }, 'attribute'],
    ['no direction', { attribute: 'at' }, 'direction'],
  ])('refuses %s', async (_, wrong, field) => {
    const body = { ...score, rankings: [{ name: 'r', attribute: 'points', ties: wrong }] };
    const answer = await catalog.ask('/v1/types/Wrong', { method: 'PUT', body });
    const path = `body.rankings[0].ties.${field}`;
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
  });
});

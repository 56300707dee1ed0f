import { openBeforeAll } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, quiet } from './entities.ts';
import { ask, queryResponse, byBytes, itemsIn, problemOf, walk } from './list-queries.ts';
import type { Parameters } from './list-queries.ts';

const player = {
  attributes: [
    { name: 'score', kind: 'number' },
    { name: 'level', kind: 'number' },
    { name: 'born', kind: 'instant' },
  ],
  rankings: [
    // The own ranking has its keys on the players' items; the other rankings have rows.
    { name: 'byScore', attribute: 'score', direction: 'descending' },
    { name: 'constructor', attribute: 'level', direction: 'ascending' },
    { name: 'byScore#', attribute: 'born', direction: 'descending' },
  ],
};

interface RankedEntity {
  rank: number;
  id: string;
  value: number;
  entity?: { id: string; attributes: { score: number } };
}

interface RankResponse {
  rank: number;
  rankIsExact: boolean;
  value: number;
  items: RankedEntity[];
}

/** Many ties; ids are prefixes of others, contain separators, and sort differently by UTF-16 and by bytes. */
const ids = ['a', 'a#', 'a#1', 'a$', 'a1', 'B', '__proto__', 'constructor', '\ue000', '😀', '居間'];
const players = Array.from({ length: 44 }, (_, index) => ({
  id: index < ids.length ? (ids[index] ?? '') : `player ${index}`,
  score: [10, -0.5, 1e21, 10, 3, 10, -7, 1.5][(index * 5) % 8] ?? 0,
  level: (index * 7) % 5,
}));

/** Standard competition ranks, computed in memory. */
function ranking(attribute: 'score' | 'level', sign: 1 | -1): RankedEntity[] {
  return players
    .map((one) => ({
      rank: 1 + players.filter((other) => sign * other[attribute] < sign * one[attribute]).length,
      id: one.id,
      value: one[attribute],
    }))
    .toSorted((a, b) => a.rank - b.rank || byBytes(a.id, b.id));
}

describe('GET /v1/rankings/{type}/{name}', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, RATE_LIMIT_PER_MINUTE: '0' }));
  beforeAll(async () => {
    await declare(catalog, { Player: player });
    await make(catalog, ['Player', 'unranked', {}]);
    const body = players.map(({ id, ...attributes }) => ({ type: 'Player', id, attributes }));
    expect(await catalog.ask('/v1/entities', { method: 'POST', body })).toMatchObject({
      body: { entities: { created: players.length } },
    });
    await make(catalog, ['Player', 'young', { attributes: { born: '2010-05-05T00:00:00Z' } }]);
  });

  const top = (name: string, parameters: Parameters) =>
    walk<RankedEntity>(catalog, ['rankings', 'Player', name], parameters);
  const standing = (name: string, id: string, parameters?: Parameters) =>
    ask<RankResponse>(catalog, ['rankings', 'Player', name, id], parameters);

  describe.each([
    ['byScore', ranking('score', -1), {}],
    ['constructor', ranking('level', 1), { BatchGetItem: 1 }],
  ])('of %s', (name, wanted, wholeCost) => {
    it('returns the first page with one Query', async () => {
      const cost = await catalog.costOf(async () => {
        const [page] = await top(name, { limit: 1000 });
        expect(page?.items).toEqual(wanted);
      });
      expect(cost).toEqual({ Query: 1 });
    });

    it.each([1, 3, 20])('returns correct ranks in pages of %d', async (size) => {
      const pages = await top(name, { limit: size });
      expect(itemsIn(pages)).toEqual(wanted);
      expect(pages).toHaveLength(Math.ceil(wanted.length / size));
    });

    it('includes the entities with whole=true', async () => {
      const cost = await catalog.costOf(async () => {
        const rows = itemsIn(await top(name, { whole: 'true' }));
        expect(rows.map(({ rank, id, value }) => ({ rank, id, value }))).toEqual(wanted);
        expect(rows.map(({ entity }) => entity?.id)).toEqual(wanted.map(({ id }) => id));
        expect(rows[0]?.entity?.attributes).toMatchObject({ score: expect.any(Number) as number });
      });
      expect(cost).toEqual({ Query: 1, ...wholeCost });
    });

    it.each([0, 1, 5, 100])(
      'returns the rank of each entity with %d neighbours',
      async (neighbours) => {
        for (const [index, { id, rank, value }] of wanted.entries()) {
          const neighbourhood = wanted.slice(
            Math.max(0, index - neighbours),
            index + neighbours + 1,
          );
          expect(await standing(name, id, { neighbours })).toEqual({
            rank,
            rankIsExact: true,
            value,
            items: neighbourhood,
          });
        }
      },
    );

    it.each<[string, number, number, Record<string, number>]>([
      ['one entity', 30, 0, { GetItem: 1, Query: 1 }],
      ['the first places', 2, 5, { GetItem: 1, Query: 2 }],
    ])('ranks %s at low cost', async (_, index, neighbours, wantedCost) => {
      const { id = '' } = wanted[index] ?? {};
      const cost = await catalog.costOf(() => standing(name, id, { neighbours }));
      expect(cost).toEqual(wantedCost);
    });

    it('counts ties only if they may extend beyond the neighbours', async () => {
      const sixthBefore = (isTied: boolean) =>
        wanted.findIndex((_, index) => {
          const [sixth, fifth] = [wanted[index - 6], wanted[index - 5]];
          return sixth !== undefined && (sixth.rank === fifth?.rank) === isTied;
        });
      const costOf = (index: number) =>
        catalog.costOf(() => standing(name, wanted[index]?.id ?? '', { neighbours: 5 }));
      expect(await costOf(sixthBefore(false))).toEqual({ GetItem: 1, Query: 3 });
      expect(await costOf(sixthBefore(true))).toEqual({ GetItem: 1, Query: 4 });
    });
  });

  it('ranks by instants, returned as ISO 8601', async () => {
    const first = { rank: 1, id: 'young', value: '2010-05-05T00:00:00.000Z' };
    expect(itemsIn(await top('byScore#', {}))).toEqual([first]);
    expect(await standing('byScore#', 'young')).toMatchObject({ rank: 1, items: [first] });
  });

  it('refuses a cursor of another ranking', async () => {
    const [page] = await top('byScore', { limit: 1 });
    const { cursor } = page ?? {};
    const answer = await queryResponse(catalog, ['rankings', 'Player', 'constructor'], { cursor });
    expect(problemOf(answer)).toMatchObject({ status: 400, type: 'invalid-cursor' });
  });

  it.each([
    ['Player', 'byScore', 'nobody', 'entity-not-found'],
    ['Player', 'byScore', 'unranked', 'entity-not-found'],
    ['Player', 'constructor', 'young', 'entity-not-found'],
    ['Player', 'by', 'a', 'search-not-found'],
    ['Play', 'byScore', 'a', 'type-not-found'],
  ])('answers 404 for the rank in %s %s of %s', async (type, name, id, problem) => {
    const answer = await queryResponse(catalog, ['rankings', type, name, id]);
    expect(problemOf(answer)).toMatchObject({ status: 404, type: problem });
  });

  it.each<[string[], Parameters, string]>([
    [['byScore'], { limit: '0' }, 'query.limit'],
    [['byScore'], { limit: '1001' }, 'query.limit'],
    [['byScore'], { top: '5' }, 'query.top'],
    [['byScore', 'a'], { neighbours: '101' }, 'query.neighbours'],
    [['byScore', 'a'], { whole: 'true' }, 'query.whole'],
  ])('refuses %j %j', async (segments, parameters, path) => {
    const answer = await queryResponse(catalog, ['rankings', 'Player', ...segments], parameters);
    expect(problemOf(answer)).toEqual({ status: 400, type: 'invalid-request', paths: [path] });
  });
});

describe('a ranking that exceeds the cost limit of a request', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, REQUEST_UNIT_LIMIT: '10' }));
  beforeAll(async () => {
    const attributes = [{ name: 'text', kind: 'text' }, ...player.attributes];
    await declare(catalog, { Player: { ...player, attributes } });
    // The index has whole entities: 30 of them exceed the 1 MB that one Query counts.
    const text = 'x'.repeat(50_000);
    const large = Array.from({ length: 30 }, (_, index) => {
      return ['Player', `player ${index}`, { attributes: { text, score: -index } }] as const;
    });
    await make(catalog, ...large);
  });

  it('returns a lower bound of the rank, marked as inexact', async () => {
    const path = ['rankings', 'Player', 'byScore', 'player 29'];
    const { rank, rankIsExact, items } = await ask<RankResponse>(catalog, path, { neighbours: 0 });
    expect(rankIsExact).toBe(false);
    expect(rank).toBeGreaterThan(15);
    expect(rank).toBeLessThan(30);
    expect(items).toEqual([{ rank, id: 'player 29', value: -29 }]);
  });

  it('returns a shorter page, and correct ranks on the next page', async () => {
    const pages = await walk<RankedEntity>(catalog, ['rankings', 'Player', 'byScore']);
    expect(pages.length).toBeGreaterThan(1);
    const ranks = Array.from({ length: 30 }, (_, index) => index + 1);
    expect(itemsIn(pages).map(({ rank }) => rank)).toEqual(ranks);
  });
});

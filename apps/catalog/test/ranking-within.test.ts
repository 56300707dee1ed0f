import { openBeforeAll, until } from '@engawa/testing';
import { startCatalog } from './catalog.ts';
import { declare, make, pathOf, quiet } from './entities.ts';
import { ask, queryResponse, problemOf } from './list-queries.ts';
import { leaderboard, makeGames, scoreTypes } from './scores.ts';
import { putType, untilBuilt } from './types.ts';
import type { EntityInput } from './entities.ts';
import type { Page, Parameters } from './list-queries.ts';
import type { RankedEntity, RankResponse } from './scores.ts';

const path = ['rankings', 'Score', 'byScore'];

describe('a ranking within a relation', () => {
  const catalog = openBeforeAll(() => startCatalog({ ...quiet, TYPE_SETTLE_MS: '0' }));
  beforeAll(async () => {
    await declare(catalog, scoreTypes);
    await makeGames(catalog, 'chess', 'chess2', 'go', 'empty');
    for (const [index, points] of [10, 30, 20, 20, 5].entries()) {
      await score(`c${index}`, { points, level: points, game: 'chess' });
    }
    await score('g0', { points: 15, level: 15, game: 'go' });
    await score('g1', { points: 40, level: 40, game: 'go' });
    await score('none', { points: 99, level: 99 });
    await make(catalog, ['Score', 'blank', { relations: { game: 'go' } }]);
  });

  interface Scored {
    points: number;
    level: number;
    game?: string;
  }
  const score = (id: string, { game, ...attributes }: Scored) =>
    make(catalog, ['Score', id, { attributes, relations: game === undefined ? {} : { game } }]);
  const patch = async (id: string, body: EntityInput) => {
    const answer = await catalog.ask(pathOf('Score', id), { method: 'PATCH', body });
    expect(answer).toMatchObject({ status: 200 });
  };
  const boards = async (...games: string[]) =>
    Promise.all(games.map((game) => leaderboard(catalog, game)));

  it('returns the ranking of one parent with one Query', async () => {
    const cost = await catalog.costOf(async () => {
      const { items } = await ask<Page<RankedEntity>>(catalog, path, { within: 'chess', limit: 4 });
      expect(items.map(({ rank, id }) => [rank, id])).toEqual([
        [1, 'c1'],
        [2, 'c2'],
        [2, 'c3'],
        [4, 'c0'],
      ]);
    });
    expect(cost).toEqual({ Query: 1 });
    expect(await leaderboard(catalog, 'go')).toEqual(['g1 40', 'g0 15']);
    expect(await leaderboard(catalog, 'go', 'byLevel')).toEqual(['g0 15', 'g1 40']);
    expect(await ask(catalog, path, { within: 'chess', limit: 1, total: 'true' })).toMatchObject({
      total: 5,
    });
  });

  it('returns the rank of an entity within its parent, and its neighbours', async () => {
    const standing = (id: string, parameters: Parameters) =>
      ask<RankResponse>(catalog, [...path, id], parameters);
    expect(await standing('c0', { neighbours: 1 })).toMatchObject({
      ...{ rank: 4, rankIsExact: true, value: 10, within: 'chess' },
      items: [{ id: 'c3' }, { id: 'c0' }, { id: 'c4', rank: 5 }],
    });
    const byLevel = await ask<RankResponse>(catalog, ['rankings', 'Score', 'byLevel', 'g1']);
    expect([byLevel.rank, byLevel.within, byLevel.items.length]).toEqual([2, 'go', 2]);
    const cost = await catalog.costOf(() => standing('c0', { neighbours: 0 }));
    expect(cost).toEqual({ GetItem: 1, Query: 1 });
    for (const id of ['none', 'blank', 'nobody']) {
      const answer = await queryResponse(catalog, [...path, id]);
      expect(problemOf(answer)).toMatchObject({ status: 404, type: 'entity-not-found' });
    }
  });

  it('updates a score with one UpdateItem', async () => {
    const cost = await catalog.costOf(async () => {
      await patch('g0', { attributes: { points: 50 } });
      await patch('blank', { attributes: { points: 45 } });
      await patch('none', { attributes: { points: 98 } });
      await patch('g1', { attributes: { points: null } });
    });
    expect(cost).toEqual({ UpdateItem: 4 });
    expect(await leaderboard(catalog, 'go')).toEqual(['g0 50', 'blank 45']);
    await patch('g1', { attributes: { points: 46 } });
    expect(await leaderboard(catalog, 'go')).toEqual(['g0 50', 'g1 46', 'blank 45']);
  });

  it('includes an addition to a score', async () => {
    await score('adds', { points: 7, level: 7, game: 'chess2' });
    await patch('adds', { attributes: { points: { add: 5 } } });
    expect(await leaderboard(catalog, 'chess2')).toEqual(['adds 12']);
    await catalog.ask(pathOf('Score', 'adds'), { method: 'DELETE' });
  });

  it('follows a change of the parent', async () => {
    await score('moves', { points: 1, level: 1, game: 'chess' });
    await patch('moves', { relations: { game: 'chess2' } });
    expect(await boards('chess2', 'chess')).toEqual([
      ['moves 1'],
      expect.not.arrayContaining(['moves 1']),
    ]);
    expect(await leaderboard(catalog, 'chess2', 'byLevel')).toEqual(['moves 1']);
    await patch('moves', { attributes: { points: 2 } });
    expect(await boards('chess2')).toEqual([['moves 2']]);
    await patch('moves', { relations: { game: null } });
    expect(await boards('chess2')).toEqual([[]]);
    await patch('moves', { attributes: { points: 3 } });
    await patch('moves', { relations: { game: 'chess2' } });
    expect(await boards('chess2')).toEqual([['moves 3']]);
    expect((await catalog.ask(pathOf('Score', 'moves'), { method: 'DELETE' })).status).toBe(204);
    expect(await boards('chess2')).toEqual([[]]);
  });

  it.each<[string[], Parameters, object]>([
    [path, {}, { status: 400, paths: ['query.within'] }],
    [path, { within: '' }, { status: 400, paths: ['query.within'] }],
    [path, { within: 'nothing' }, { status: 404, type: 'entity-not-found' }],
  ])('refuses %j %j', async (segments, parameters, problem) => {
    expect(problemOf(await queryResponse(catalog, segments, parameters))).toMatchObject(problem);
  });

  it('distinguishes an empty ranking from a missing parent, and refuses cursors of other parents', async () => {
    expect(await ask(catalog, path, { within: 'empty' })).toEqual({ items: [] });
    const { cursor } = await ask<Page<RankedEntity>>(catalog, path, { within: 'chess', limit: 1 });
    const answer = await queryResponse(catalog, path, { within: 'go', cursor });
    expect(problemOf(answer)).toMatchObject({ status: 400, type: 'invalid-cursor' });
  });

  it('is rebuilt if the ranking gains or loses its relation', async () => {
    const attributes = [{ name: 'points', kind: 'number' }];
    const relations = [{ name: 'game', to: 'Game' }];
    const [all] = [{ name: 'byScore', attribute: 'points' }];
    const one = { ...all, within: 'game' };
    await declare(catalog, { Old: { attributes, relations, rankings: [all] } });
    for (const [index, game] of ['chess', 'go', undefined].entries()) {
      const given = game === undefined ? {} : { relations: { game } };
      await make(catalog, ['Old', `o${index}`, { attributes: { points: index }, ...given }]);
    }
    const ids = async (parameters: Parameters) => {
      const { items } = await ask<Page<RankedEntity>>(
        catalog,
        ['rankings', 'Old', 'byScore'],
        parameters,
      );
      return items.map(({ id }) => id);
    };
    expect(await ids({})).toEqual(['o2', 'o1', 'o0']);
    await putType(catalog, 'Old', { attributes, relations, rankings: [one] });
    await untilBuilt(catalog, 'Old');
    expect([await ids({ within: 'chess' }), await ids({ within: 'go' })]).toEqual([['o0'], ['o1']]);
    await putType(catalog, 'Old', { attributes, relations, rankings: [all] });
    await untilBuilt(catalog, 'Old');
    expect(await ids({})).toEqual(['o2', 'o1', 'o0']);
    const answer = await queryResponse(catalog, ['rankings', 'Old', 'byScore'], {
      within: 'chess',
    });
    expect(problemOf(answer)).toMatchObject({ status: 400, paths: ['query.within'] });
  });

  it.each(['none', 'points', 'many'])('refuses a ranking within %s', async (within) => {
    const relations = [{ name: 'many', to: 'Game', many: true }];
    const attributes = [{ name: 'points', kind: 'number' }];
    const rankings = [{ name: 'byScore', attribute: 'points', within }];
    const answer = await putType(catalog, 'Bad', { attributes, relations, rankings });
    expect(problemOf(answer)).toMatchObject({ status: 400, paths: ['body.rankings[0].within'] });
  });

  // The last test: the intent record of the deletion stays for two minutes, and `untilBuilt` would wait for it.
  it('ends with the parent, and starts empty if the parent is created again', async () => {
    await makeGames(catalog, 'ends');
    await score('e', { points: 1, level: 1, game: 'ends' });
    const gone = await catalog.ask(`${pathOf('Game', 'ends')}?detach=true`, { method: 'DELETE' });
    expect(gone.status).toBe(204);
    await makeGames(catalog, 'ends');
    await until('the score to lose its relation', async () => {
      return (await leaderboard(catalog, 'ends')).length === 0;
    });
    expect(await leaderboard(catalog, 'ends', 'byLevel')).toEqual([]);
    await patch('e', { attributes: { points: 2 } });
    expect(await leaderboard(catalog, 'ends')).toEqual([]);
  });
});

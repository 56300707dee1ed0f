import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, make, pathOf, put, quiet } from './entities.ts';
import { ask, idsIn, problemOf, queryResponse } from './list-queries.ts';
import { board, periodTypes, play, weekly, weeks } from './ranking-periods.ts';
import { startTable } from './table.ts';
import { putType, untilBuilt } from './types.ts';
import type { Page } from './list-queries.ts';
import type { Weekly } from './ranking-periods.ts';

/** The last second of 2026-W48. */
const sunday = Date.parse('2026-11-29T23:59:59Z');
const [w47, w48, w49] = ['2026-11-20T12:00:00Z', '2026-11-25T12:00:00Z', '2026-11-30T00:00:00Z'];

describe('a ranking per period', () => {
  const environment = {
    ...quiet,
    TYPE_SETTLE_MS: '0',
    TASK_REFRESH_MS: '100',
    RATE_LIMIT_PER_MINUTE: '0',
  };
  const started = openBeforeAll(startTable);
  const catalog = openBeforeAll(() => catalogOn(started, environment, { now: () => time }));
  let time = sunday;
  beforeAll(async () => {
    await declare(catalog, periodTypes);
    await make(catalog, ['Game', 'go', {}], ['Game', 'chess', {}]);
  });
  beforeEach(async () => {
    time = sunday;
    for (const type of ['Round', 'Match']) {
      await play(catalog, type, { a: [10, w48], b: [30, w48], c: [20, w48], last: [99, w47] });
      await make(catalog, [
        type,
        'none',
        { attributes: { points: 50 }, relations: { game: 'go' } },
      ]);
    }
  });

  const patch = async (type: string, id: string, body: object) => {
    const answer = await catalog.ask(pathOf(type, id), { method: 'PATCH', body });
    expect(answer).toMatchObject({ status: 200 });
    return answer.headers.get('engawa-requests');
  };
  const played = { w47: ['last 99'], w48: ['b 30', 'c 20', 'a 10'], w49: [] };

  describe.each(weekly)('%s %s', (...which) => {
    const [type, ranking, parent] = which;
    const path = ['rankings', type, ranking];

    it('has the entities of each week, by one Query', async () => {
      expect(await weeks(catalog, which)).toEqual(played);
      const answer = await queryResponse(catalog, path, { ...parent, period: '2026-W48' });
      // Other requests of the service are not in this header.
      expect(answer.headers.get('engawa-requests')).toBe('query-gsi2=1');
    });

    it('shows the current week where none is named, and says which one', async () => {
      const asked = () => ask<Page<{ id: string }>>(catalog, path, { ...parent, total: 'true' });
      expect(await asked()).toMatchObject({
        period: '2026-W48',
        total: 3,
        items: [{ id: 'b' }, {}, {}],
      });
      expect(await ask(catalog, path, { ...parent, period: 'now-1w' })).toMatchObject({
        ...{ period: '2026-W47', items: [{ id: 'last' }] },
      });
      time += 1000;
      expect(await asked()).toMatchObject({ period: '2026-W49', total: 0, items: [] });
    });

    it('stays in the week of the first page', async () => {
      const first = await ask<Page<{ id: string }>>(catalog, path, { ...parent, limit: 2 });
      time += 1000;
      const { cursor } = first;
      const next = await ask<typeof first>(catalog, path, { ...parent, limit: 2, cursor });
      expect(next).toMatchObject({ period: '2026-W48', items: [{ rank: 3, id: 'a' }] });
      const other = await queryResponse(catalog, path, { ...parent, cursor, period: '2026-W47' });
      expect(problemOf(other)).toMatchObject({ status: 400, type: 'invalid-cursor' });
    });

    it('has ranges, ranks and neighbours within the week', async () => {
      const range = { ...parent, to: '20', period: '2026-W48' };
      expect(await ask(catalog, path, range)).toMatchObject({
        items: [
          { rank: 2, id: 'c' },
          { rank: 3, id: 'a' },
        ],
      });
      expect(await ask(catalog, [...path, 'c'], { neighbours: 1 })).toMatchObject({
        ...{ rank: 2, period: '2026-W48', items: [{ id: 'b' }, { id: 'c' }, { id: 'a' }] },
      });
      expect(await ask(catalog, [...path, 'last'])).toMatchObject({ rank: 1, period: '2026-W47' });
      const answer = await queryResponse(catalog, [...path, 'none']);
      expect(problemOf(answer)).toMatchObject({ status: 404, type: 'entity-not-found' });
    });

    it('moves an entity with its instant, and forgets it without one', async () => {
      await patch(type, 'a', { attributes: { playedAt: w49 } });
      expect(await weeks(catalog, which)).toEqual({
        ...played,
        w48: ['b 30', 'c 20'],
        w49: ['a 10'],
      });
      await patch(type, 'a', { attributes: { playedAt: w47, points: 100 } });
      expect(await weeks(catalog, which)).toEqual({
        ...played,
        w47: ['a 100', 'last 99'],
        w48: ['b 30', 'c 20'],
      });
      await patch(type, 'a', { attributes: { playedAt: null } });
      await patch(type, 'a', { attributes: { points: 7 } });
      expect(await weeks(catalog, which)).toEqual({ ...played, w48: ['b 30', 'c 20'] });
      await patch(type, 'a', { attributes: { playedAt: w48 } });
      expect(await weeks(catalog, which)).toEqual({ ...played, w48: ['b 30', 'c 20', 'a 7'] });
      await put(catalog, [type, 'a'], {
        attributes: { points: 1, playedAt: w49 },
        relations: { game: 'go' },
      });
      expect(await weeks(catalog, which)).toEqual({
        ...played,
        w48: ['b 30', 'c 20'],
        w49: ['a 1'],
      });
    });

    it('loses a deleted entity', async () => {
      const answer = await catalog.ask(pathOf(type, 'b'), { method: 'DELETE' });
      expect(answer.status).toBe(204);
      expect(await weeks(catalog, which)).toEqual({ ...played, w48: ['c 20', 'a 10'] });
    });

    it('has entities of imports and transactions', async () => {
      const relations = { game: 'go' };
      const entity = { type, id: 'a', attributes: { points: 25, playedAt: w49 }, relations };
      const post = async (path: string, body: object) =>
        (await catalog.ask(path, { method: 'POST', body })).status;
      expect(await post('/v1/entities?existing=replace', [entity])).toBe(200);
      const put = { ...entity, operation: 'put', id: 'b' };
      const patch = { operation: 'patch', type, id: 'c', attributes: { playedAt: w47 } };
      expect(await post('/v1/transactions', { operations: [put, patch] })).toBe(200);
      expect(await weeks(catalog, which)).toEqual({
        ...{ w47: ['last 99', 'c 20'], w48: [], w49: ['a 25', 'b 25'] },
      });
    });
  });

  it('costs one UpdateItem for a score, also with an instant of the same period', async () => {
    const later = '2026-11-29T23:00:00Z';
    expect(await patch('Round', 'a', { attributes: { points: 40 } })).toBe('update-item=1');
    expect(await patch('Round', 'a', { attributes: { points: 41, playedAt: later } })).toBe(
      'update-item=1',
    );
    expect(await patch('Round', 'a', { attributes: { points: { add: 1 }, playedAt: later } })).toBe(
      'get-item=1, update-item=1',
    );
    const which: Weekly = ['Round', 'byWeek', { within: 'go' }];
    expect(await weeks(catalog, which)).toEqual({ ...played, w48: ['a 42', 'b 30', 'c 20'] });
    expect(await patch('Round', 'a', { attributes: { points: 5, playedAt: w49 } })).toBe(
      'query=1, transact-write-items=1, update-item=1',
    );
    expect(await weeks(catalog, which)).toEqual({ ...played, w48: ['b 30', 'c 20'], w49: ['a 5'] });
    expect(await patch('Round', 'a', { attributes: { playedAt: null } })).toBe(
      'query=1, transact-write-items=1',
    );
    expect(
      await patch('Round', 'a', { relations: { game: 'chess' }, attributes: { playedAt: w48 } }),
    ).toMatch(/transact-write-items=1$/);
    expect(await board(catalog, ['Round', 'byWeek'], { within: 'chess' })).toEqual(['a 5']);
  });

  it('has months and days, and may rank by the instant of the period', async () => {
    expect(await board(catalog, ['Match', 'byMonth'], { period: '2026-11' })).toEqual([
      ...['last 99', 'b 30', 'c 20', 'a 10'],
    ]);
    expect(await ask(catalog, ['rankings', 'Match', 'byMonth'])).toMatchObject({
      period: '2026-11',
    });
    const days = await ask<Page<{ id: string }>>(catalog, ['rankings', 'Match', 'first'], {
      period: '2026-11-25',
    });
    expect(idsIn([days])).toEqual(['a', 'b', 'c']);
  });

  it('may be of an instant that the service sets', async () => {
    await make(catalog, ['Visit', 'v', { attributes: { points: 1 } }]);
    await patch('Visit', 'v', { attributes: { points: 2 } });
    const changed = await ask<{ period: string }>(catalog, ['rankings', 'Visit', 'byMonth', 'v']);
    const { period } = changed;
    expect(await board(catalog, ['Visit', 'byMonth'], { period })).toEqual(['v 2']);
  });

  it('is built where an existing ranking gets a period, or loses it', async () => {
    const { rankings, ...plain } = periodTypes.Round;
    const without = {
      ...plain,
      rankings: [{ name: 'byWeek', attribute: 'points', within: 'game' }],
    };
    await declare(catalog, { Old: without });
    await play(catalog, 'Old', { a: [1, w48], b: [2, w47] });
    const which: Weekly = ['Old', 'byWeek', { within: 'go' }];
    await putType(catalog, 'Old', { ...plain, rankings });
    await untilBuilt(catalog, 'Old');
    expect(await weeks(catalog, which)).toEqual({ w47: ['b 2'], w48: ['a 1'], w49: [] });
    expect(await ask(catalog, ['types', 'Old'])).toMatchObject({ rankings });
    await putType(catalog, 'Old', without);
    await untilBuilt(catalog, 'Old');
    expect(await board(catalog, ['Old', 'byWeek'], { within: 'go' })).toEqual(['b 2', 'a 1']);
  });

  it.each(['2026-W54', '2026-11', '2026-11-25', '2026-11-25T12:00:00Z', 'now-1y', ''])(
    'refuses the period %j of a ranking per week',
    async (period) => {
      const answer = await queryResponse(catalog, ['rankings', 'Match', 'byWeek'], { period });
      expect(problemOf(answer)).toMatchObject({ status: 400, paths: ['query.period'] });
    },
  );

  it('refuses a period of a ranking without periods', async () => {
    await declare(catalog, {
      Ever: {
        attributes: [{ name: 'n', kind: 'number' }],
        rankings: [{ name: 'r', attribute: 'n' }],
      },
    });
    const answer = await queryResponse(catalog, ['rankings', 'Ever', 'r'], { period: 'now' });
    expect(problemOf(answer)).toMatchObject({ status: 400, paths: ['query.period'] });
  });

  it.each([
    ['a number', { attribute: 'points', length: 'P1W' }, 'attribute'],
    ['an undeclared attribute', { attribute: 'none', length: 'P1W' }, 'attribute'],
    ['another length', { attribute: 'playedAt', length: 'P2W' }, 'length'],
  ])('refuses the declaration of %s', async (_, period, field) => {
    const body = { ...periodTypes.Match, rankings: [{ name: 'r', attribute: 'points', period }] };
    const answer = await putType(catalog, 'Wrong', body);
    const paths = [`body.rankings[0].period.${field}`];
    expect(problemOf(answer)).toMatchObject({ status: 400, paths });
  });
});

import { attributeFamily } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { catalogOn } from './catalog.ts';
import { declare, itemsOf, make, pathOf, quiet } from './entities.ts';
import { ask } from './list-queries.ts';
import { leaderboard, makeGames, scoreTypes } from './scores.ts';
import { inFourShards } from './shards.ts';
import { startTable } from './table.ts';
import type { Catalog } from './catalog.ts';
import type { StartedTable } from './table.ts';

const environment = { ...quiet, RATE_LIMIT_PER_MINUTE: '0' };
const ids = Array.from({ length: 12 }, (_, index) => `s${index + 10}`);
const inOrder = ids.toReversed();

async function patch(catalog: Catalog, id: string, body: object): Promise<void> {
  const answer = await catalog.ask(pathOf('Score', id), { method: 'PATCH', body });
  expect(answer).toMatchObject({ status: 200 });
}

describe('the ranking of a hot game', () => {
  const started = openBeforeAll(startTable);
  beforeAll(async () => {
    const before = await catalogOn(started, environment);
    await declare(before, scoreTypes);
    await makeGames(before, 'hot', 'cool');
    for (const game of ['hot', 'cool']) {
      for (const [index, id] of ids.entries()) {
        const given = { attributes: { points: index, level: index }, relations: { game } };
        await make(before, ['Score', `${id}-${game}`, given]);
      }
    }
    await before.close();
    for (const ranking of ['byScore', 'byLevel']) {
      await inFourShards(started.table, attributeFamily('Score', ranking, 'hot'));
    }
  });
  const catalog = openBeforeAll(() => catalogOn(started, environment));
  beforeAll(async () => {
    // The service reads the shard map before its first query.
    await leaderboard(catalog, 'hot');
  });

  const partitions = async (ranking: 'gsi2pk') =>
    new Set(
      await Promise.all(
        ids.map(async (id) => (await itemsOf(started.table, 'Score', `${id}-hot`))[0]?.[ranking]),
      ),
    );
  const first = (within: string) =>
    catalog.costOf(() => ask(catalog, ['rankings', 'Score', 'byScore'], { within, limit: 5 }));

  it('has shards of its own, without additional cost for other games', async () => {
    expect([await first('hot'), await first('cool')]).toEqual([{ Query: 4 }, { Query: 1 }]);
  });

  it('moves an entity to its shard at the next score, with one more UpdateItem once', async () => {
    expect((await partitions('gsi2pk')).size).toBe(1);
    const scored = () =>
      catalog.costOf(async () => {
        for (const [index, id] of ids.entries()) {
          await patch(catalog, `${id}-hot`, { attributes: { points: 100 + index } });
        }
      });
    const { UpdateItem: moving = 0 } = await scored();
    const there = await partitions('gsi2pk');
    expect(there.size).toBe(4);
    expect(moving).toBeGreaterThan(ids.length);
    expect(await scored()).toEqual({ UpdateItem: ids.length });
    expect(await partitions('gsi2pk')).toEqual(there);
    const expected = inOrder.map((id, index) => `${id}-hot ${100 + ids.length - 1 - index}`);
    expect(await leaderboard(catalog, 'hot')).toEqual(expected);
  });

  it('is correct while entities are in old and new shards', async () => {
    const { length } = ids;
    await patch(catalog, `${ids[0] ?? ''}-hot`, { attributes: { level: 50 } });
    const board = await leaderboard(catalog, 'hot', 'byLevel');
    expect([board.length, board.at(-1)]).toEqual([length, `${ids[0] ?? ''}-hot 50`]);
  });
});

describe('concurrent scores and parent changes by two replicas', () => {
  let started: StartedTable;
  let replicas: Catalog[];
  beforeAll(async () => {
    started = await startTable();
    replicas = [await catalogOn(started, environment)];
    const [first] = replicas as [Catalog];
    await declare(first, scoreTypes);
    replicas.push(await catalogOn(started, environment));
    await makeGames(first, 'a', 'b');
  });
  afterAll(async () => {
    for (const replica of replicas) await replica.close();
    await started.close();
  });

  it('leave each entity in the ranking of its parent with its last score', async () => {
    const [one, other] = replicas as [Catalog, Catalog];
    const some = ids.slice(0, 4);
    await make(one, ...some.map((id) => ['Score', id, { relations: { game: 'a' } }] as const));
    const work = some.flatMap((id) =>
      [1, 2, 3, 4, 5].flatMap((turn) => [
        () => patch(one, id, { attributes: { points: turn } }),
        () =>
          patch(other, id, { relations: { game: turn % 3 === 0 ? null : turn % 2 ? 'a' : 'b' } }),
        () => patch(other, id, { attributes: { points: turn * 10, level: turn } }),
      ]),
    );
    while (work.length > 0) await Promise.all(work.splice(0, 6).map((each) => each()));
    const expected: Record<string, string[]> = { a: [], b: [] };
    const levels: Record<string, string[]> = { a: [], b: [] };
    for (const id of some) {
      const { body } = await one.ask(pathOf('Score', id));
      const { attributes, relations } = body as {
        attributes: { points: number; level: number };
        relations: { game?: string };
      };
      const { game } = relations;
      if (game === undefined) continue;
      expected[game]?.push(`${id} ${attributes.points}`);
      levels[game]?.push(`${id} ${attributes.level}`);
    }
    for (const game of ['a', 'b']) {
      expect((await leaderboard(one, game)).toSorted()).toEqual(expected[game]?.toSorted());
      const byLevel = await leaderboard(one, game, 'byLevel');
      expect(byLevel.toSorted()).toEqual(levels[game]?.toSorted());
    }
  });
});

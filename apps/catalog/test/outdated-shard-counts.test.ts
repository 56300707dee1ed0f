import { entityTypeItem, keyOf } from '@engawa/model';
import { fixedShards } from '@engawa/table';
import { openBeforeAll } from '@engawa/testing';
import { deleteEntity } from '../src/entities/delete/delete-entity.ts';
import { itemsOf } from './entities.ts';
import { Players, playerType, playerTypes, queryKinds } from './players.ts';
import { startTable } from './table.ts';

const friends = Array.from({ length: 120 }, (_, index) => `f${100 + index}`);
const star = { type: 'Player', id: 'star' };

describe('two replicas, one with an outdated number of shards', () => {
  const started = openBeforeAll(startTable);
  let behind: Players;
  let ahead: Players;
  beforeAll(async () => {
    const { table } = started;
    await table.put(entityTypeItem(playerType));
    behind = new Players({ table, shards: fixedShards(1) });
    ahead = new Players({ table, shards: fixedShards(4) });
    for (const [index, id] of friends.entries()) await behind.put({ id, number: 100 + index });
  });
  beforeEach(() => behind.put({ id: star.id, number: 150 }));

  /** Expects the entity once in all queries, at its place: one row and one index key each. */
  async function expectStar(number: number, score = number): Promise<void> {
    for (const question of queryKinds) {
      const ids = (await ahead.page(question, undefined, 1000)).ids;
      expect(ids.filter((id) => id === star.id)).toHaveLength(1);
      expect(ids).toHaveLength(friends.length + 1);
      const place = {
        list: friends.length,
        search: number - 99,
        own: score - 99,
        rows: number - 99,
      };
      expect([question, ids.indexOf(star.id)]).toEqual([question, place[question]]);
    }
  }

  async function shards(): Promise<Set<string | undefined>> {
    const items = await itemsOf(started.table, star.type, star.id);
    const keys = items.flatMap((item) => {
      const { gsi1pk, gsi2pk } = item;
      return keyOf(item).sk.startsWith('R#') ? [] : [gsi1pk, gsi2pk];
    });
    return new Set(keys.flatMap((key) => (typeof key === 'string' ? key.split('#').at(-1) : [])));
  }

  it('write the same entity sequentially: the last one determines its shard', async () => {
    await ahead.put({ ...star, number: 160 });
    await expectStar(160);
    const [high] = await shards();
    expect(high).not.toBe('0');
    expect(await shards()).toEqual(new Set([high]));
    await behind.put({ ...star, number: 170 });
    await expectStar(170);
    expect(await shards()).toEqual(new Set(['0']));
    await ahead.score(star.id, 120);
    await expectStar(170, 120);
    await behind.score(star.id, 130);
    await expectStar(170, 130);
  });

  it('write many relations in staged writes, sequentially', async () => {
    const half = friends.slice(0, 60);
    for (const [players, number, to] of [
      [ahead, 160, friends],
      [behind, 170, []],
      [behind, 171, friends],
      [ahead, 180, []],
      [ahead, 181, half],
      [behind, 182, friends.slice(60)],
    ] as const) {
      await players.put({ ...star, number, friends: to });
      await expectStar(number);
      const items = await itemsOf(started.table, star.type, star.id);
      expect(items.filter((item) => keyOf(item).sk.startsWith('R#'))).toHaveLength(to.length);
      expect(items[0]).not.toHaveProperty('settles');
    }
  });

  it('write the same entity concurrently', async () => {
    for (let round = 0; round < 8; round++) {
      const number = 150 + 2 * round;
      await Promise.all([
        ahead.put({ ...star, number, friends: round % 2 === 0 ? friends : [] }),
        behind.score(star.id, number),
        behind.put({ ...star, number: number + 1 }),
        ahead.score(star.id, number + 1),
      ]);
    }
    await ahead.put({ ...star, number: 199 });
    await expectStar(199);
  });

  it('rebuild an entity repeatedly, and keep correct rows in any shard', async () => {
    await ahead.put({ ...star, number: 160 });
    for (const players of [behind, ahead, behind]) {
      await players.entities.rebuild(star, playerType);
      await expectStar(160);
    }
    const search = {
      name: 'byAge',
      parts: [{ attribute: 'age', as: 'number' }],
      layout: 2,
    } as const;
    const next = { ...playerType, layout: 2, searches: [...playerType.searches, search] };
    await behind.entities.rebuild(star, next);
    await expectStar(160);
    const sks = (await itemsOf(started.table, star.type, star.id)).map((item) => keyOf(item).sk);
    expect(sks.filter((sk) => sk.startsWith('F#'))).toHaveLength(3);
    // Removed by the replica that would have used another shard.
    await ahead.entities.rebuild(star, { ...playerType, layout: 3 });
    const left = (await itemsOf(started.table, star.type, star.id)).map((item) => keyOf(item).sk);
    expect(left.filter((sk) => sk.startsWith('F#'))).toHaveLength(2);
    await started.table.delete({ pk: 'E#Player#star', sk: 'E#Player#star' });
    await started.table.deleteAll(left.map((sk) => ({ pk: 'E#Player#star', sk })));
  });

  it.each([false, true])(
    'delete an entity of the other replica, with staged writes: %j',
    async (isStaged) => {
      await ahead.put({ ...star, number: 160, friends: isStaged ? friends : [] });
      const { table } = started;
      const { entities } = behind;
      await deleteEntity(
        { table, shards: fixedShards(1), types: playerTypes, entities },
        { name: star, revision: undefined, detach: true, conditions: [] },
      );
      const left = await itemsOf(table, star.type, star.id);
      // The tombstone and the removal of its texts stay for a while.
      expect(left.map(({ sk, data, texts }) => [sk, data, texts])).toEqual([
        ['E#Player#star', undefined, undefined],
        ['FULLTEXT', undefined, undefined],
      ]);
      for (const question of queryKinds) {
        expect((await ahead.page(question, undefined, 1000)).ids.toSorted()).toEqual(friends);
      }
    },
  );
});

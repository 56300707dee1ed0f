import { RequestBudget } from '@engawa/http';
import { entityKey, entityListFamily, entityListPartition } from '@engawa/keys';
import { queryEachShard, fixedShards } from '@engawa/table';
import { growShards, openBeforeEach, putStaleCopy, TestClock } from '@engawa/testing';
import { queryShards } from '../src/queries/query-shards.ts';
import { families, replicaOn } from './growing-shards.ts';
import { startTable } from './table.ts';

const family = entityListFamily('Player');
const partition = (shard: number) => entityListPartition(shard, 'Player');
const ids = Array.from({ length: 12 }, (_, index) => `p${10 + index}`);

describe('querying all shards', () => {
  const started = openBeforeEach(startTable);

  it('is repeated if the number of shards grew meanwhile', async () => {
    const { table } = started;
    const clock = new TestClock();
    const [one, other] = [replicaOn(table, clock), replicaOn(table, clock)];
    for (const [number, id] of ids.entries()) await one.players.put({ id, number });
    const asked: number[] = [];
    const pages = await queryEachShard({ shards: one.shards, family }, async (shard) => {
      asked.push(shard);
      if (asked.length === 1) {
        // One throttled Query, while the others continue.
        await growShards([other, one], { families, count: 4, clock });
        for (const [number, id] of ids.entries())
          await other.players.put({ id, number: 99 - number });
      }
      return (await table.query({ index: 'gsi1', pk: partition(shard) })).items;
    });
    expect(pages.flatMap((items) => items.map(({ gsi1sk }) => gsi1sk)).sort()).toEqual(ids);
    expect(asked).toEqual([0, 0, 1, 2, 3]);
    one.shards.close();
    other.shards.close();
  });

  it.each([1, 5, 12, 100])(
    'returns an entity once while it moves between two shards, in pages of %d',
    async (limit) => {
      const { table } = started;
      for (const id of ids) {
        const key = entityKey({ type: 'Player', id });
        const copy = { of: key, gsi1pk: partition(0), gsi1sk: id };
        await putStaleCopy(table, copy, { data: { shard: 0 } });
        await table.put({ ...key, gsi1pk: partition(1), gsi1sk: id, data: { shard: 1 } });
      }
      const keyAt = (sortKey: string) => entityKey({ type: 'Player', id: sortKey });
      const list = {
        table,
        index: 'gsi1',
        shards: fixedShards(2),
        family,
        partition,
        keyAt,
      } as const;
      const found: string[] = [];
      let after: string | undefined;
      do {
        const budget = new RequestBudget({ deadlineMs: 60_000, maxUnits: 1000 });
        const { signal } = new AbortController();
        const page = await queryShards(list, { limit, after, budget, signal });
        expect(page.rows.length).toBeLessThanOrEqual(limit);
        found.push(...page.rows.map(({ sortKey }) => sortKey));
        // If both fit on the page, the row of the new shard is returned.
        const shown = page.rows.slice(0, -1).map(({ item }) => item['data']);
        expect(shown).toEqual(shown.map(() => ({ shard: 1 })));
        after = page.after;
      } while (after !== undefined);
      expect(found).toEqual(ids);
    },
  );
});

import { setImmediate as breathe } from 'node:timers/promises';
import pino from 'pino';
import { growShards, TestClock } from '@engawa/testing';
import { TextChanges } from '../src/full-text/text-changes.ts';
import { plainQuery } from './full-text/plain-query.ts';
import { WordsInMemory } from './full-text/words-in-memory.ts';
import { families, replicaOn, sizes } from './growing-shards.ts';
import { queryKinds } from './players.ts';
import { startTable } from './table.ts';
import type { Replica } from './growing-shards.ts';
import type { QueryKind } from './players.ts';
import type { StartedTable } from './table.ts';

const { signal } = new AbortController();
const log = pino({ enabled: false });
const idOf = (number: number) => `p${number}`;

describe('queries while the number of shards grows', () => {
  let started: StartedTable;
  let clock: TestClock;
  let one: Replica;
  let other: Replica;
  beforeEach(async () => {
    started = await startTable();
    clock = new TestClock();
    one = replicaOn(started.table, clock);
    other = replicaOn(started.table, clock);
  });
  afterEach(async () => {
    one.shards.close();
    other.shards.close();
    await started.close();
  });

  it.each(queryKinds)('return each entity once and in order, page by page: %s', async (asked) => {
    const numbers = Array.from({ length: 30 }, (_, index) => 100 + 2 * index);
    for (const number of numbers) await one.players.put({ id: idOf(number), number });
    const first = await one.players.page(asked, undefined, 8);
    expect(first.ids).toEqual(numbers.slice(0, 8).map(idOf));

    await growShards([one, other], { families, count: 2, clock });
    // Some listed and some unlisted entities get another number that keeps the order.
    const next = (number: number) => number + (number % 4 === 2 ? 1 : 0);
    for (const number of numbers) {
      await other.players.put({ id: idOf(number), number: next(number) });
    }
    const second = await other.players.page(asked, first.after, 8);
    const [again, ...rest] = second.ids;
    // The last listed entity has moved to a later page, as is allowed for changes between two pages.
    const isChanged = asked !== 'list' && next(numbers[7] ?? 0) !== numbers[7];
    expect([again, ...rest]).toEqual(
      numbers
        .slice(isChanged ? 7 : 8)
        .slice(0, 8)
        .map(idOf),
    );

    await growShards([one, other], { families, count: 4, clock });
    for (const number of numbers.toReversed()) await one.players.put({ id: idOf(number), number });
    const third = await one.players.all(asked, second.after);
    expect(third).toEqual(numbers.slice(isChanged ? 15 : 16).map(idOf));
    for (const { players } of [one, other]) {
      expect(await players.all(asked)).toEqual(numbers.map(idOf));
    }
    for (const counts of await sizes(started.table)) {
      expect(counts.every((count) => count > 0)).toBe(true);
      expect(counts.reduce((sum, count) => sum + count)).toBe(numbers.length);
    }
  });

  it('include all previously acknowledged writes, of any replica through any replica', async () => {
    /** Begun and acknowledged writes of each entity. */
    const begun = new Map<string, number>();
    const answered = new Map<string, number>();
    const raise = (counts: Map<string, number>, id: string) =>
      counts.set(id, (counts.get(id) ?? 0) + 1);
    let made = 0;
    let isOver = false;
    const writer = async ({ players }: Replica) => {
      while (!isOver) {
        const known = [...answered.keys()];
        const old = known[(made * 7) % Math.max(1, known.length)];
        const number = 1000 + made++;
        const id = made % 3 === 0 || old === undefined ? idOf(number) : old;
        raise(begun, id);
        if (made % 3 === 1 && answered.has(id)) await players.score(id, number);
        else await players.put({ id, number });
        raise(answered, id);
        clock.pass(80);
      }
    };
    const isStill = ([id, count]: [string, number]) => begun.get(id) === count;
    const asked = new Map<QueryKind, number>(queryKinds.map((question) => [question, 0]));
    const reader = async ({ players }: Replica, question: QueryKind) => {
      while (!isOver) {
        // Entities with a write in flight may be moving; all others stay.
        const before = [...answered].filter(isStill);
        const { ids } = await players.page(question, undefined, 1000);
        const expected = before.filter(isStill).map(([id]) => id);
        const times = (id: string) => ids.filter((found) => found === id).length;
        expect(expected.filter((id) => times(id) !== 1)).toEqual([]);
        asked.set(question, (asked.get(question) ?? 0) + 1);
        clock.pass(80);
      }
    };
    const follower = async ({ shards }: Replica) => {
      const changes = new TextChanges({ table: started.table, shards, log });
      const index = new WordsInMemory();
      while (!isOver) {
        const before = [...answered.keys()];
        while (!(await changes.step(index, signal)));
        const found = idsIn(index);
        expect(before.filter((id) => !found.has(id))).toEqual([]);
        clock.pass(80);
      }
    };
    const growing = async () => {
      const isGrown = () =>
        [one, other].every(({ shards }) => families.every((family) => shards.toWrite(family) >= 4));
      for (let last = Infinity; made < last;) {
        const growth = { demand: 0, sustainedMs: 1000 };
        if (made > 20) for (const family of families) await other.shards.grow(family, growth);
        if (last === Infinity && isGrown()) last = made + 40;
        await breathe();
      }
    };
    const work = [
      ...[one, other].flatMap((replica) => [writer(replica), follower(replica)]),
      ...queryKinds.map((question, index) => reader(index % 2 === 0 ? one : other, question)),
    ];
    await Promise.race([growing(), ...work]).finally(() => (isOver = true));
    await Promise.all(work);
    expect([...asked.values()].every((count) => count > 3)).toBe(true);
    for (const question of queryKinds) {
      const all = await one.players.all(question);
      expect(all.toSorted()).toEqual([...answered.keys()].toSorted());
    }
    for (const counts of await sizes(started.table)) {
      expect(counts.every((count) => count > 0)).toBe(true);
    }
  });
});

/** The search for all entities: all names begin with the same letter. */
function idsIn(index: WordsInMemory): Set<string> {
  return new Set(index.search(plainQuery('n', { limit: 10_000 })).map(({ entity }) => entity.id));
}

import { RequestBudget } from '@engawa/http';
import {
  deviceKey,
  deviceListFamily,
  deviceListPartition,
  deviceSeenFamily,
  deviceSeenPartition,
} from '@engawa/keys';
import { deviceItem, seenAttributes } from '@engawa/model';
import { aDevice, growShards, putStaleCopy, TestClock } from '@engawa/testing';
import { queryShards } from '../src/lists/query-shards.ts';
import { replicaOn } from './growing-shards.ts';
import { startTable } from './table.ts';
import type { Replica } from './growing-shards.ts';
import type { StartedTable } from './table.ts';

const { signal } = new AbortController();
const means = () => ({
  budget: new RequestBudget({ deadlineMs: 60_000, maxUnits: 10_000 }),
  signal,
});

interface IdPage {
  ids: string[];
  after?: string | undefined;
}
type ReadPage = (replica: Replica, after: string | undefined, limit: number) => Promise<IdPage>;

const byName: ReadPage = async ({ devices }, after, limit) => {
  const page = await devices.list({ limit, after, ...means() });
  return { ids: page.rows.map(({ item }) => item.id), after: page.after };
};
const bySeen: ReadPage = async ({ devices }, after, limit) => {
  const page = await devices.listBySeen({ limit, after, ...means() });
  return { ids: page.rows.map(({ device }) => device.id), after: page.after };
};

async function walk(read: ReadPage, replica: Replica, after?: string): Promise<string[]> {
  const ids: string[] = [];
  let from = after;
  do {
    const page = await read(replica, from, 7);
    ids.push(...page.ids);
    from = page.after;
  } while (from !== undefined);
  return ids;
}

describe('the lists of devices, while they get more shards', () => {
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

  /** As it is heard of. */
  function touch({ shards }: Replica, id: string, lastSeenAt: number) {
    const counts = { list: 1, seen: shards.toWrite(deviceSeenFamily) };
    return started.table.update(deviceKey(id), { set: seenAttributes(id, lastSeenAt, counts) });
  }

  async function sizes(index: 'gsi1' | 'gsi2'): Promise<number[]> {
    const partition = index === 'gsi1' ? deviceListPartition : deviceSeenPartition;
    const shards = [0, 1, 2, 3].map((shard) => ({ index, pk: partition(shard) }));
    const pages = await Promise.all(shards.map((question) => started.table.count(question)));
    return pages.map(({ count }) => count);
  }

  it.each([
    ['by name', byName, deviceListFamily],
    ['by last seen', bySeen, deviceSeenFamily],
  ] as const)(
    'are walked %s over more and more of them, each device once',
    async (_, read, family) => {
      const ids = Array.from({ length: 40 }, (_, index) => `device ${100 + index}`);
      const write = async (replica: Replica, id: string) => {
        await replica.devices.put({ id, given: { name: id }, expected: undefined });
        await touch(replica, id, Number(id.slice(7)));
      };
      for (const id of ids) await write(one, id);
      const first = await read(one, undefined, 10);
      expect(first.ids).toEqual(ids.slice(0, 10));

      await growShards([one, other], { families: [family], count: 2, clock });
      // Names of existing and of new devices: into the new shard, where they sort as before.
      for (const id of ids.filter((_, index) => index % 3 === 0)) await write(other, id);
      const second = await read(other, first.after, 10);
      expect(second.ids).toEqual(ids.slice(10, 20));

      await growShards([one, other], { families: [family], count: 4, clock });
      for (const id of ids.filter((_, index) => index % 2 === 0)) await write(one, id);
      expect(await walk(read, one, second.after)).toEqual(ids.slice(20));
      expect(await walk(read, other)).toEqual(ids);
      const used = await sizes(read === byName ? 'gsi1' : 'gsi2');
      expect(used.every((count) => count > 0)).toBe(true);
      expect(used.reduce((sum, count) => sum + count)).toBe(ids.length);
    },
  );

  it.each([
    ['by name', byName, deviceListFamily],
    ['by last seen', bySeen, deviceSeenFamily],
  ] as const)(
    'have, %s, every write that was acknowledged before the request, from any replica to any replica',
    async (_, read, family) => {
      /** Of each device: how often a write of it has begun, and how often one was answered. */
      const begun = new Map<string, number>();
      const answered = new Map<string, number>();
      const raise = (counts: Map<string, number>, id: string) =>
        counts.set(id, (counts.get(id) ?? 0) + 1);
      let made = 0;
      let isOver = false;
      const writer = async (replica: Replica) => {
        while (!isOver) {
          const known = [...answered.keys()];
          const old = known[(made * 7) % Math.max(1, known.length)];
          const id = made++ % 2 === 0 || old === undefined ? `device ${made}` : old;
          raise(begun, id);
          await replica.devices.put({ id, given: { name: id }, expected: undefined });
          await touch(replica, id, 1000 + made);
          raise(answered, id);
          clock.pass(80);
        }
      };
      let questions = 0;
      const reader = async (replica: Replica) => {
        while (!isOver) {
          // What is being written now may be moving; all else stays where it is.
          const still = [...answered].filter(([id, count]) => begun.get(id) === count);
          const page = await read(replica, undefined, 1000);
          const expected = still.filter(([id, count]) => begun.get(id) === count);
          const times = (id: string) => page.ids.filter((found) => found === id).length;
          expect(expected.filter(([id]) => times(id) !== 1)).toEqual([]);
          questions++;
          clock.pass(80);
        }
      };
      const growing = async () => {
        const isGrown = () => [one, other].every(({ shards }) => shards.toWrite(family) >= 4);
        for (let last = Infinity; made < last;) {
          if (made > 20) await other.shards.grow(family, { demand: 0, sustainedMs: 1000 });
          if (last === Infinity && isGrown()) last = made + 40;
          await new Promise((resolve) => setImmediate(resolve));
        }
      };
      const work = [one, other].flatMap((replica) => [writer(replica), reader(replica)]);
      await Promise.race([growing(), ...work]).finally(() => (isOver = true));
      await Promise.all(work);
      expect(questions).toBeGreaterThan(20);
      expect((await walk(read, one)).toSorted()).toEqual([...answered.keys()].toSorted());
      const used = await sizes(read === byName ? 'gsi1' : 'gsi2');
      expect(used.every((count) => count > 0)).toBe(true);
    },
  );

  it('are queried again if their number has grown by the time all have responded', async () => {
    const family = deviceListFamily;
    const ids = Array.from({ length: 12 }, (_, index) => `d${10 + index}`);
    const write = (replica: Replica) =>
      Promise.all(
        ids.map((id) => replica.devices.put({ id, given: { name: id }, expected: undefined })),
      );
    await write(one);
    const asked: number[] = [];
    const page = await queryShards(
      { shards: one.shards, family },
      { limit: 100 },
      async (shard) => {
        asked.push(shard);
        if (asked.length === 1) {
          // A Query that is throttled for long, while others go on.
          await growShards([other, one], { families: [family], count: 4, clock });
          await write(other);
        }
        const { items } = await started.table.query({
          index: 'gsi1',
          pk: deviceListPartition(shard),
        });
        return { rows: items.map(({ gsi1sk }) => ({ sortKey: gsi1sk as string })) };
      },
    );
    expect(page.rows.map(({ sortKey }) => sortKey)).toEqual(ids.map((id) => `${id}#${id}`));
    expect(asked).toEqual([0, 0, 1, 2, 3]);
  });

  it('have a device once that an index shows in two shards, since it moves just now', async () => {
    await growShards([one], { families: [deviceListFamily], count: 2, clock });
    const names = ['a', 'b', 'c'];
    for (const id of names) {
      const item = deviceItem(aDevice({ id, name: id }), { list: 1, seen: 1 });
      const [gsi1pk, gsi1sk] = [deviceListPartition(0), item['gsi1sk'] as string];
      const copy = { of: deviceKey(id), gsi1pk, gsi1sk };
      await putStaleCopy(started.table, copy, { ...item, status: 'pending' });
      await started.table.put({ ...item, status: 'active', gsi1pk: deviceListPartition(1) });
    }
    const { rows, after } = await one.devices.list({ limit: 10, ...means() });
    expect(rows.map(({ item }) => [item.id, item.status])).toEqual(
      names.map((name) => [name, 'active']),
    );
    expect(after).toBeUndefined();
    const pages = [await byName(one, undefined, 1)];
    for (let page = pages[0]; page?.after !== undefined; pages.push(page)) {
      page = await byName(one, page.after, 1);
    }
    expect(pages.flatMap(({ ids }) => ids)).toEqual(names);
  });
});

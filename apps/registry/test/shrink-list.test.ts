import { RequestBudget } from '@engawa/http';
import { countingUnits, RequestUnits } from '@engawa/service';
import { deviceKey, deviceListFamily, deviceListPartition, shardMapKey } from '@engawa/keys';
import { growShards, TestClock } from '@engawa/testing';
import { shrinkableLists } from '../src/shrink-command/shrinkable-list.ts';
import { shrinkList, ShrinkCancelled } from '../src/shrink-command/shrink-list.ts';
import { replicaOn } from './growing-shards.ts';
import { startTable } from './table.ts';
import type { Table } from '@engawa/table';
import type { Replica } from './growing-shards.ts';
import type { StartedTable } from './table.ts';

const family = deviceListFamily;
const quiescenceMs = 8000;
const ids = Array.from({ length: 60 }, (_, index) => `device ${100 + index}`);

let started: StartedTable;
let clock: TestClock;
let one: Replica;
let other: Replica;
let replicas: Replica[];

beforeEach(async () => {
  started = await startTable();
  clock = new TestClock();
  replicas = [];
  [one, other] = [aReplica(), aReplica()];
  await growShards([one, other], { families: [family], count: 8, clock });
  for (const id of ids) await put(one, id);
});
afterEach(async () => {
  for (const { shards } of replicas) shards.close();
  await started.close();
});

function aReplica(table: Table = started.table, itsClock = clock): Replica {
  const replica = replicaOn(table, itsClock);
  replicas.push(replica);
  return replica;
}

/** Until it uses all shards of the map. */
async function learnedLongAgo({ shards }: Replica, itsClock: TestClock): Promise<void> {
  await shards.toRead(family);
  itsClock.pass(7001);
  await shards.toRead(family);
}

const put = ({ devices }: Replica, id: string, name = id) =>
  devices.put({ id, given: { name }, expected: undefined });

const idAt = (number: number) => ids[number % ids.length] ?? '';

async function countOfHigher(): Promise<number> {
  const [, ...higher] = await sizes();
  return higher.reduce((sum, size) => sum + size, 0);
}

/** The table as another process has it, some of whose requests fail or are counted. */
function tableWith(replaced: Partial<Pick<Table, 'query' | 'update'>>): Table {
  return new Proxy(started.table, {
    get: (table, name): unknown =>
      Reflect.get(replaced, name) ??
      (Reflect.get(table, name, table) as (...args: unknown[]) => unknown).bind(table),
  });
}

interface Run {
  to?: number;
  table?: Table;
  signal?: AbortSignal;
  /** Runs during each wait. */
  meanwhile?: () => Promise<unknown>;
}

/** The command in a process of its own. Its waits pass with requests, so that other processes can read the map. */
function shrink({ to = 1, table = started.table, signal, meanwhile }: Run = {}): Promise<number> {
  const wait = async (milliseconds: number) => {
    for (let left = milliseconds; left > 0; left -= 500) {
      clock.pass(Math.min(left, 500));
      await started.table.get(deviceKey('none'));
      await meanwhile?.();
    }
  };
  return shrinkList({
    ...{ table, shards: aReplica().shards, list: shrinkableLists['LIST#DEVICE'], to, quiescenceMs },
    entriesPerSecond: 1000,
    clock: { now: () => clock.now().steady, wait },
    signal: signal ?? new AbortController().signal,
  });
}

async function pageOf({ devices }: Replica, limit = 1000) {
  const budget = new RequestBudget({ deadlineMs: 60_000, maxUnits: 10_000 });
  const { signal } = new AbortController();
  const units = new RequestUnits();
  const page = () => devices.list({ limit, budget, signal });
  const { rows } = await countingUnits(units, page);
  return { ids: rows.map(({ item }) => item.id), units: units.read };
}

async function sizes(): Promise<number[]> {
  const pages = Array.from({ length: 8 }, (_, shard) =>
    started.table.count({ index: 'gsi1', pk: deviceListPartition(shard) }),
  );
  return (await Promise.all(pages)).map(({ count }) => count);
}

it('costs a Query instead of eight a page, once all entries are in one shard', async () => {
  expect((await sizes()).every((size) => size > 0)).toBe(true);
  const before = await pageOf(one, 5);
  const spread = await countOfHigher();
  const units = new RequestUnits();
  expect(await countingUnits(units, () => shrink())).toBe(spread);
  // The price, and two writes of the shard map.
  expect(units.write).toBe(spread * shrinkableLists['LIST#DEVICE'].unitsPerMove + 2);
  clock.pass(5001);
  await one.shards.toRead(family);
  const after = await pageOf(one, 5);
  expect([before, after]).toEqual([4, 0.5].map((units) => ({ ids: ids.slice(0, 5), units })));
  expect((await pageOf(one)).ids).toEqual(ids);
  expect(await sizes()).toEqual([ids.length, 0, 0, 0, 0, 0, 0, 0]);
  await growShards([one, other], { families: [family], count: 2, clock });
  expect(await other.shards.toRead(family)).toBe(2);
});

it('leaves every page complete while devices are added, renamed and deleted', async () => {
  /** Of each device: writes that have begun and that have ended, and whether it exists. */
  const begun = new Map<string, number>();
  const ended = new Map(ids.map((id) => [id, 0]));
  const isThere = new Map(ids.map((id) => [id, true]));
  let writes = 0;
  let pages = 0;
  let isOver = false;
  const writer = async (replica: Replica) => {
    while (!isOver) {
      const number = writes++;
      const id = number % 5 === 0 ? `new ${number}` : idAt(number * 7);
      begun.set(id, (begun.get(id) ?? 0) + 1);
      const isDeleted = number % 5 === 1;
      if (isDeleted) await started.table.delete(deviceKey(id));
      // Every other name stays the same, so that only the shard of its entry changes.
      else await put(replica, id, number % 5 === 2 ? `renamed ${number}` : id);
      isThere.set(id, !isDeleted);
      ended.set(id, begun.get(id) ?? 0);
      clock.pass(20);
    }
  };
  const stable = () =>
    [...ended].filter(([id, count]) => (begun.get(id) ?? 0) === count).map(([id]) => id);
  const reader = async (replica: Replica) => {
    while (!isOver) {
      const before = new Map(begun);
      const still = stable();
      const page = await pageOf(replica);
      const expected = still.filter((id) => begun.get(id) === before.get(id));
      const times = (id: string) => page.ids.filter((found) => found === id).length;
      expect(expected.filter((id) => times(id) !== Number(isThere.get(id)))).toEqual([]);
      pages++;
    }
  };
  // The Queries of all other shards end after that of the shard that entries move to.
  const query: Table['query'] = async (request) => {
    for (let step = 0; step < 3 && request.pk !== deviceListPartition(0); step++)
      await started.table.get(deviceKey('none'));
    return started.table.query(request);
  };
  const readers = [0, 1].map(() => reader(aReplica(tableWith({ query }))));
  const work = [writer(one), writer(other), ...readers];
  await Promise.race([shrink(), ...work]).finally(() => (isOver = true));
  await Promise.all(work);
  expect(pages).toBeGreaterThan(10);
  clock.pass(5001);
  const there = [...isThere].filter(([, exists]) => exists).map(([id]) => id);
  expect((await pageOf(other)).ids.toSorted()).toEqual(there.toSorted());
  expect(await sizes()).toEqual([there.length, 0, 0, 0, 0, 0, 0, 0]);
});

it('is resumed by another process after it was killed among its moves', async () => {
  const killed = new AbortController();
  let updates = 0;
  const table = tableWith({
    update: async (...change) => {
      if (++updates === 10) killed.abort(new Error('killed'));
      return started.table.update(...change);
    },
  });
  await expect(shrink({ table, signal: killed.signal })).rejects.toThrow('killed');
  const left = await countOfHigher();
  expect(left).toBeGreaterThan(0);
  expect((await pageOf(one)).ids).toEqual(ids);
  expect(await shrink()).toBe(left);
  clock.pass(5001);
  expect((await pageOf(one)).ids).toEqual(ids);
  expect(await sizes()).toEqual([ids.length, 0, 0, 0, 0, 0, 0, 0]);
});

it('moves what a replica writes that cannot read the new map', async () => {
  let isCut = false;
  const query: Table['query'] = (request) =>
    isCut ? Promise.reject(new Error('cut off')) : started.table.query(request);
  const old = aReplica(tableWith({ query }));
  await learnedLongAgo(old, clock);
  isCut = true;
  const used: number[] = [];
  let moved = 0;
  const meanwhile = async () => {
    const shards = old.shards.toWrite(family);
    if (shards !== used.at(-1)) used.push(shards);
    await put(old, idAt(moved++));
  };
  await shrink({ meanwhile });
  expect(used).toEqual([8, 1]);
  clock.pass(5001);
  expect((await pageOf(one)).ids).toEqual(ids);
  expect(await sizes()).toEqual([ids.length, 0, 0, 0, 0, 0, 0, 0]);
  // Its readers do not answer from the old map.
  await expect(pageOf(old)).rejects.toThrow();
});

it('finds, when it is run again, what a process wrote that was suspended for long', async () => {
  const frozen = new TestClock();
  const suspended = aReplica(started.table, frozen);
  await learnedLongAgo(suspended, frozen);
  suspended.shards.close();
  await shrink();
  // Its clocks stood still meanwhile, so it does not know that its map is old.
  expect(suspended.shards.toWrite(family)).toBe(8);
  for (const id of ids) await put(suspended, id);
  const lost = await countOfHigher();
  expect(lost).toBeGreaterThan(0);
  expect(await shrink()).toBe(lost);
  clock.pass(5001);
  expect((await pageOf(one)).ids).toEqual(ids);
});

it('is cancelled by a growth, which uses all former shards again', async () => {
  const meanwhile = async () => {
    const active = await one.shards.activeShrink(family);
    if (active?.isUsable) await one.shards.grow(family, { demand: 0, sustainedMs: 0 });
  };
  await expect(shrink({ meanwhile })).rejects.toThrow(ShrinkCancelled);
  const item = await started.table.get(shardMapKey(family));
  expect((item?.['epochs'] as unknown[]).at(-1)).toMatchObject({ count: 8 });
  expect((await pageOf(other)).ids).toEqual(ids);
  await growShards([one, other], { families: [family], count: 8, clock });
  for (const id of ids) await put(one, id);
  expect((await sizes()).every((size) => size > 0)).toBe(true);
  expect((await pageOf(other)).ids).toEqual(ids);
});

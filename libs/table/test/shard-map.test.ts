import {
  deviceListFamily,
  deviceSeenFamily,
  maxStalenessMs,
  activationDelayMs,
  maxShards,
  shardMapKey,
} from '@engawa/keys';
import pino from 'pino';
import { Registry } from 'prom-client';
import { ShardMap, ShardMetrics } from '../src/index.ts';
import { metric, startTable, until } from './table-fixture.ts';
import type { ClockTimes } from '@engawa/keys';
import type { ItemPage, QueryRequest, Table, TableItem } from '../src/index.ts';
import type { TableFixture } from './table-fixture.ts';

let fixture: TableFixture;
const maps: ShardMap[] = [];

beforeEach(async () => {
  fixture = await startTable();
});

afterEach(async () => {
  for (const map of maps.splice(0)) map.close();
  await fixture.close();
});

/** A process with manual clocks. */
class Replica {
  readonly now: ClockTimes;
  readonly registry = new Registry();
  readonly map: ShardMap;
  readonly reshards: unknown[] = [];

  constructor(wall: number, steady = 0, table: Pick<Table, 'query' | 'update'> = fixture.table) {
    this.now = { wall, steady };
    this.map = new ShardMap({
      table,
      metrics: new ShardMetrics(this.registry),
      log: pino({ enabled: false }),
      onReshard: (event) => this.reshards.push(event),
      now: () => ({ ...this.now }),
    });
    maps.push(this.map);
  }

  pass(milliseconds: number): void {
    this.now.wall += milliseconds;
    this.now.steady += milliseconds;
  }
}

const growth = { demand: 0, sustainedMs: 10_000 };

it('is read by every process before any process writes with it', async () => {
  const one = new Replica(1_000_000);
  const other = new Replica(1_003_000, 500_000);
  expect(await other.map.toRead(deviceListFamily)).toBe(1);
  await one.map.grow(deviceListFamily, growth);
  expect(await one.map.toRead(deviceListFamily)).toBe(2);
  expect(one.map.toWrite(deviceListFamily)).toBe(1);

  // The other process may use its cached map for a limited time.
  other.pass(maxStalenessMs);
  expect(await other.map.toRead(deviceListFamily)).toBe(1);
  other.pass(1);
  expect(await other.map.toRead(deviceListFamily)).toBe(2);

  one.pass(activationDelayMs - 1);
  expect(one.map.toWrite(deviceListFamily)).toBe(1);
  one.pass(1);
  expect(one.map.toWrite(deviceListFamily)).toBe(2);
  expect(one.map.toWrite(deviceSeenFamily)).toBe(1);
});

it('tells each process of a reshard once, but not of shards that exist at its start', async () => {
  const [one, other] = [new Replica(1_000_000), new Replica(1_000_000)];
  for (const { map } of [one, other]) await map.toRead(deviceListFamily);
  await one.map.grow(deviceListFamily, growth);
  const late = new Replica(1_000_000);
  for (const replica of [one, other, late]) {
    replica.pass(maxStalenessMs + 1);
    await replica.map.toRead(deviceListFamily);
  }
  const event = { of: { family: 'LIST#DEVICE' }, from: 1, to: 2 };
  expect([one, other, late].map(({ reshards }) => reshards)).toEqual([[event], [event], []]);
});

it('grows once when several processes add shards at the same time, and all processes know of it', async () => {
  const replicas = Array.from({ length: 4 }, () => new Replica(1_000_000));
  await Promise.all(replicas.map(({ map }) => map.grow(deviceListFamily, growth)));
  expect(replicas.map(({ map }) => map.known(deviceListFamily))).toEqual([2, 2, 2, 2]);
  const { epochs } = (await fixture.table.get(shardMapKey(deviceListFamily))) ?? {};
  expect(epochs).toHaveLength(1);
  const grown = replicas.map(({ registry }) => metric(registry, 'engawa_partition_reshards_total'));
  expect((await Promise.all(grown)).reduce((sum, count) => sum + count)).toBe(1);
});

it('grows again only after the current shards were used for long enough', async () => {
  const { map, pass } = withPass(new Replica(1_000_000));
  await map.grow(deviceListFamily, growth);
  pass(activationDelayMs + growth.sustainedMs - 1);
  await map.grow(deviceListFamily, growth);
  expect(map.known(deviceListFamily)).toBe(2);
  pass(1);
  await map.grow(deviceListFamily, { ...growth, demand: 4 });
  expect(map.known(deviceListFamily)).toBe(16);
  for (let step = 0; step < 5; step++) {
    pass(activationDelayMs + growth.sustainedMs);
    await map.grow(deviceListFamily, growth);
  }
  expect(map.known(deviceListFamily)).toBe(maxShards);
});

it('is used at once by a process that starts much later', async () => {
  await new Replica(1_000_000).map.grow(deviceListFamily, growth);
  const late = new Replica(1_200_000);
  await late.map.toRead(deviceListFamily);
  expect(late.map.toWrite(deviceListFamily)).toBe(2);
});

it('expires when it cannot be read, and is read again on recovery', async () => {
  const { map, pass } = withPass(new Replica(1_000_000));
  expect(await map.toRead(deviceListFamily)).toBe(1);
  pass(maxStalenessMs + 1);
  fixture.proxy.reply = () => ({ status: 400, type: 'AccessDeniedException' });
  await expect(map.toRead(deviceListFamily)).rejects.toThrow();
  // A writer uses its earlier map meanwhile.
  expect(map.toWrite(deviceListFamily)).toBe(1);
  fixture.proxy.reply = () => 'forward';
  expect(await map.toRead(deviceListFamily)).toBe(1);
});

/** A table whose responses are released by the test. */
class SlowTable {
  readonly questions: QueryRequest[] = [];
  readonly answers: PromiseWithResolvers<undefined>[] = [];

  async query(question: QueryRequest): Promise<ItemPage> {
    this.questions.push(question);
    const page = await fixture.table.query(question);
    const answer = Promise.withResolvers<undefined>();
    this.answers.push(answer);
    await answer.promise;
    return page;
  }

  update(...change: Parameters<Table['update']>): ReturnType<Table['update']> {
    return fixture.table.update(...change);
  }

  /** Releases the response with this number, once it is there. */
  async answer(number: number): Promise<void> {
    await until(() => this.answers.length > number);
    this.answers[number]?.resolve(undefined);
  }
}

it('dates a response from its request, and requests again after one that took too long', async () => {
  const table = new SlowTable();
  const replica = new Replica(1_000_000, 0, table);
  const first = replica.map.toRead(deviceListFamily);
  await until(() => table.answers.length === 1);
  replica.pass(maxStalenessMs + 1);
  const joined = replica.map.toRead(deviceListFamily);
  await table.answer(0);
  await table.answer(1);
  expect(await first).toBe(1);
  expect(await joined).toBe(1);
  expect(table.questions).toHaveLength(2);
  expect(table.questions.every(({ consistent }) => consistent)).toBe(true);
});

it('reports a problem where responses repeatedly take too long', async () => {
  const table = new SlowTable();
  const replica = new Replica(1_000_000, 0, table);
  const asked = replica.map.toRead(deviceListFamily).catch(String);
  for (let number = 0; number < 2; number++) {
    await until(() => table.answers.length > number);
    replica.pass(maxStalenessMs + 1);
    await table.answer(number);
  }
  expect(await asked).toContain('takes too long');
});

it('ignores a late response', async () => {
  const other = new Replica(1_000_000);
  await other.map.grow(deviceListFamily, growth);
  const table = new SlowTable();
  const { map } = new Replica(1_000_000, 0, table);
  const asked = map.toRead(deviceListFamily);
  await until(() => table.answers.length === 1);
  other.pass(activationDelayMs + growth.sustainedMs);
  await other.map.grow(deviceListFamily, growth);
  // The process loses, and reads both results.
  await map.grow(deviceListFamily, growth);
  expect(map.known(deviceListFamily)).toBe(4);
  await table.answer(0);
  expect(await asked).toBe(4);
});

it.each<[string, unknown, number]>([
  ['a text', 'many', 1],
  ['an empty value in a list', [null], 1],
  ['no count', [{ since: 0, count: 'x', from: 0 }], 1],
  ['a negative count', [{ since: 0, count: -8, from: 0 }], 1],
  ['a huge count', [{ since: 0, count: 1e9, from: 0 }], maxShards],
  ['a count that is not a power of two', [{ since: 0, count: 3, from: 0 }], 3],
])('accepts %s as epochs', async (_, epochs, count) => {
  const other = { ...shardMapKey(deviceSeenFamily), epochs: [{ since: 0, count: 4, from: 0 }] };
  await fixture.table.put(other);
  await fixture.table.put({ ...shardMapKey(deviceListFamily), epochs } as TableItem);
  const { map, pass } = withPass(new Replica(1_000_000));
  expect(await map.toRead(deviceListFamily)).toBe(count);
  expect(map.toWrite(deviceListFamily)).toBe(count);
  expect(await map.toRead(deviceSeenFamily)).toBe(4);
  // The number never decreases, whether or not it can grow.
  pass(activationDelayMs + growth.sustainedMs);
  await map.grow(deviceListFamily, growth);
  expect(await map.toRead(deviceListFamily)).toBeGreaterThanOrEqual(count);
});

it('is refreshed on schedule once it is used, and counts the refreshes', async () => {
  const { registry } = fixture;
  const map = new ShardMap({
    table: fixture.table,
    metrics: new ShardMetrics(registry),
    log: pino({ enabled: false }),
  });
  maps.push(map);
  expect(fixture.proxy.requests).toEqual([]);
  map.toWrite(deviceListFamily);
  await until(() => fixture.proxy.requests.length >= 2);
  const attempts = await metric(registry, 'engawa_table_attempts_total', { operation: 'Query' });
  expect(await metric(registry, 'engawa_shard_map_reads_total')).toBe(attempts);
});

function withPass(replica: Replica) {
  return { map: replica.map, pass: (milliseconds: number) => replica.pass(milliseconds) };
}

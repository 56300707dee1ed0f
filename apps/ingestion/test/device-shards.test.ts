import {
  deviceKey,
  activationDelayMs,
  historyDelayMs,
  maxShards,
  shardCountAt,
} from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { connectTable, fixedShards, ShardMetrics, TableMetrics } from '@engawa/table';
import { pino } from 'pino';
import { Registry } from 'prom-client';
import { openBeforeEach } from '@engawa/testing';
import { DeviceRegister } from '../src/devices/device-register.ts';
import { noteWritten, shardsFor } from '../src/devices/known-device.ts';
import { DeviceShards } from '../src/storing/device-shards.ts';
import { BookkeepingMetrics } from '../src/devices/bookkeeping/bookkeeping-metrics.ts';
import { IngestionFixture } from './ingestion-fixture.ts';
import type { ShardEpoch } from '@engawa/keys';
import type { PartitionHeat } from '@engawa/heat';
import type { KnownDevice } from '../src/devices/device-register.ts';

const maxUnitsPerSecond = 100;
const sustainedMs = 10_000;
const id = 'hot';
const now = Date.now();

const fixture = openBeforeEach(() => IngestionFixture.open());

const heat: PartitionHeat = {
  ...{ index: 'table', unit: 'write', partition: `DEVICE#${id}` },
  unitsPerSecond: 0,
  uncertainty: 0,
  utilization: 0,
  throttlesPerSecond: {},
  throttledUnitsPerSecond: 0,
};

function silent() {
  return { log: pino({ level: 'silent' }), signal: new AbortController().signal };
}

/** One process with its queue. */
class Replica {
  waiting = { arriving: 0, leaving: 0, ageMs: 0, oldest: Infinity };
  readonly registry = new Registry();
  readonly devices: DeviceRegister;
  readonly shards: DeviceShards;
  readonly reshards: unknown[] = [];

  constructor(table = fixture.table) {
    const patient = silent();
    const shards = fixedShards(1);
    const metrics = new BookkeepingMetrics(this.registry);
    const steady = () => performance.now();
    const options = { table, shards, metrics, steady, ...patient };
    this.devices = new DeviceRegister({ admission: 'auto', ...options });
    this.shards = new DeviceShards({
      table,
      devices: this.devices,
      queues: { loadOf: () => this.waiting },
      metrics: new ShardMetrics(this.registry),
      maxUnitsPerSecond,
      nameOf: (_, partition) => partition,
      onReshard: (event) => this.reshards.push(event),
      log: patient.log,
    });
  }

  async device(): Promise<KnownDevice> {
    await this.devices.load();
    const known = this.devices.find(id);
    return known ?? this.devices.admit(id, { time: now, fields: { x: 1 } });
  }

  grow(more: Partial<PartitionHeat> = {}): Promise<void> {
    return this.shards.grow(id, { heat: { ...heat, ...more }, sustainedMs });
  }
}

function byOthers(unitsPerSecond: number) {
  return { unitsPerSecond, utilization: unitsPerSecond / maxUnitsPerSecond, lagMs: 10_000 };
}

async function epochs(): Promise<ShardEpoch[]> {
  const item = await fixture.table.get(deviceKey(id), { consistent: true });
  return item === undefined ? [] : (parseDevice(item).shards ?? []);
}

const countNow = async () => shardCountAt(await epochs(), Infinity);

it.each([
  ['has a high use and no queue', {}, { unitsPerSecond: 300 }, 8],
  ['is used up to 70 %', {}, { unitsPerSecond: 70 }, 1],
  [
    'has a high use by this and other replicas',
    {},
    { unitsPerSecond: 40, others: byOthers(40) },
    2,
  ],
  ['has a total use of up to 70 %', {}, { unitsPerSecond: 40, others: byOthers(30) }, 1],
  [
    'has a high total use, of which a part is queued',
    { arriving: 10, ageMs: 1 },
    { unitsPerSecond: 40, others: byOthers(40) },
    2,
  ],
  ['has an implausible use by others', {}, { others: byOthers(1e6) }, 8],
  [
    'has a high arrival rate, independent of its use',
    { arriving: 300, ageMs: 1 },
    { unitsPerSecond: 1000 },
    8,
  ],
  ['has a low arrival rate', { arriving: 60, leaving: 100, ageMs: 20_000 }, {}, 1],
  [
    'has a high arrival rate together with others',
    { arriving: 60, leaving: 40, ageMs: sustainedMs },
    {},
    4,
  ],
  ['has a short queue', { arriving: 60, leaving: 0, ageMs: sustainedMs - 1 }, {}, 1],
  ['accepts no writes', { arriving: 60, leaving: 0, ageMs: sustainedMs }, {}, 8],
])('computes the number of shards of a key that %s', async (_, waiting, used, count) => {
  const replica = new Replica();
  const device = await replica.device();
  replica.waiting = { ...replica.waiting, ...waiting };
  await replica.grow(used);
  expect(await countNow()).toBe(count);
  expect(replica.shards.shards(id)).toBe(count);
  const grown = { of: { devicePartition: `DEVICE#${id}` }, from: 1, to: count };
  expect(replica.reshards).toEqual(count === 1 ? [] : [grown]);
  expect(device.partitions).toHaveLength(count);
  // No reader knows them yet.
  expect(shardsFor(device, Infinity)).toBe(1);
});

it('covers all queued and recently written readings', async () => {
  const replica = new Replica();
  const device = await replica.device();
  replica.waiting = { arriving: 300, leaving: 0, ageMs: 0, oldest: now - 5000 };
  noteWritten(device, now - 7000);
  noteWritten(device, now - 6000);
  await replica.grow();
  expect(await epochs()).toMatchObject([{ since: now - 7000, count: 8 }]);
  expect(device.oldestWritten).toBe(Infinity);
});

it('happens once if several replicas start it, and not again before the shards are used', async () => {
  const replicas = [new Replica(), new Replica(), new Replica()];
  for (const replica of replicas) await replica.device();
  const growAll = () => Promise.all(replicas.map((one) => one.grow({ unitsPerSecond: 300 })));
  await growAll();
  await growAll();
  expect(await epochs()).toHaveLength(1);
  expect(replicas.map(({ shards }) => shards.shards(id))).toEqual([8, 8, 8]);
});

it('is limited in keys and in epochs', async () => {
  const replica = new Replica();
  const device = await replica.device();
  for (let step = 0; step < 60; step++) {
    // Each a little older than the one before.
    replica.waiting = { arriving: 1e6, leaving: 0, ageMs: 0, oldest: now - step * 1000 };
    device.shards = device.shards.map((epoch) => ({
      ...epoch,
      usableAt: -sustainedMs - activationDelayMs,
    }));
    await replica.grow();
  }
  expect(await countNow()).toBe(maxShards);
  expect((await epochs()).length).toBeLessThan(40);
  expect(shardCountAt(await epochs(), 0)).toBe(maxShards);
});

it('is tried again with the time and the readings of then, if the key of the device is throttled', async () => {
  const proxy = await fixture.openProxy();
  const { log } = silent();
  const location = { tableName: fixture.table.tableName, region: 'local' };
  const metrics = new TableMetrics(new Registry());
  const { endpoint } = proxy;
  const table = connectTable({ ...location, endpoint, timeoutMs: 60_000, metrics, log });
  const replica = new Replica(table);
  const device = await replica.device();
  proxy.fateOf = ({ operation }) => (operation === 'UpdateItem' ? 'throttled' : 'answered');
  await replica.grow({ unitsPerSecond: 300 });
  expect(proxy.counts.throttled).toBeGreaterThan(0);
  expect(await epochs()).toEqual([]);
  proxy.fateOf = () => 'answered';
  noteWritten(device, now - 9000);
  const laterOn = Date.now();
  await replica.grow({ unitsPerSecond: 300 });
  table.close();
  const [epoch] = await epochs();
  expect(epoch).toMatchObject({ since: now - 9000, count: 8 });
  // Younger processes wait until every reader knows the epoch, from the time when it was stored.
  expect(epoch?.from).toBeGreaterThanOrEqual(laterOn + historyDelayMs);
});

it('does not create the item of a deleted device', async () => {
  const replica = new Replica();
  await replica.device();
  await fixture.table.delete(deviceKey(id));
  await replica.grow({ unitsPerSecond: 300 });
  expect(await fixture.table.get(deviceKey(id))).toBeUndefined();
});

it('restores the epochs that a recreated item lacks', async () => {
  const replica = new Replica();
  const device = await replica.device();
  await replica.grow({ unitsPerSecond: 300 });
  const [before] = await epochs();
  const forgotten = Object.entries((await fixture.table.get(deviceKey(id))) ?? {}).filter(
    ([name]) => name !== 'shards',
  );
  await fixture.table.put({ ...Object.fromEntries(forgotten), ...deviceKey(id) });
  device.shards = device.shards.map((epoch) => ({ ...epoch, usableAt: -sustainedMs }));
  await replica.grow({ unitsPerSecond: 300 });
  expect(await epochs()).toEqual([before]);
});

import { attributeFamily, deviceListFamily } from '@engawa/keys';
import pino from 'pino';
import { ShardMap, ShardMetrics } from '../src/index.ts';
import { Mitigation, sustainedMs } from '../src/heat/mitigation.ts';
import { startTable } from './table-fixture.ts';
import type { PartitionHeat, ThrottlingRate } from '@engawa/heat';
import type { TableFixture } from './table-fixture.ts';

let fixture: TableFixture;
let shards: ShardMap;
let mitigation: Mitigation;
/** Devices that were to get more keys. */
let devices: string[];

beforeEach(async () => {
  fixture = await startTable();
  const { table, registry } = fixture;
  const log = pino({ enabled: false });
  shards = new ShardMap({ table, metrics: new ShardMetrics(registry), log });
  devices = [];
  const grow = (device: string) => {
    devices.push(device);
    return Promise.resolve();
  };
  mitigation = new Mitigation({ shards, devices: { shards: () => 4, grow } });
});

afterEach(async () => {
  shards.close();
  await fixture.close();
});

const lately = 1000 + sustainedMs;

const pressed: PartitionHeat = {
  ...{ index: 'gsi1', unit: 'write', partition: 'LIST#DEVICE#0' },
  unitsPerSecond: 1000,
  uncertainty: 0,
  utilization: 1,
  throttlesPerSecond: {},
  throttledUnitsPerSecond: 0,
  hotSince: 1000,
  pressedSince: 1000,
  pressedAt: lately,
};
const elsewhere = (scope: ThrottlingRate['scope'], more: Partial<ThrottlingRate> = {}) => [
  { index: 'gsi1', unit: 'write', reason: scope, scope, perSecond: 1, ...more } as const,
];

/** How many shards there are then. */
async function after(
  heat: Partial<PartitionHeat>,
  throttling: readonly ThrottlingRate[] = [],
): Promise<number> {
  await mitigation.mitigate({ ...pressed, ...heat }, throttling);
  return shards.known(deviceListFamily);
}

it('grows a family that is pressed for long enough, and that one alone', async () => {
  expect(await after({ pressedAt: lately - 1 })).toBe(1);
  expect(await after({ pressedSince: 1001 })).toBe(1);
  expect(await after({})).toBe(2);
  expect(shards.known(attributeFamily('a', 'b'))).toBe(1);
  await mitigation.mitigate({ ...pressed, index: 'gsi2', partition: 'A#a#b#0' }, []);
  expect(shards.known(attributeFamily('a', 'b'))).toBe(2);
  expect(mitigation.shardsOf('gsi2', 'A#a#b#1')).toBe(2);
  expect(devices).toEqual([]);
});

it.each<[string, Partial<PartitionHeat>, ThrottlingRate[]]>([
  ['is only read', { unit: 'read' }, []],
  ['was hot a while ago', { pressedSince: lately }, []],
  ['has no others to share with', { partition: 'E#artist#7' }, []],
  ['is not a key of this index', { index: 'gsi2' }, []],
  ['is not throttled and used below 70 %', { utilization: 0.69 }, []],
  [
    'is turned away as all are, for the table',
    { utilization: 0.69, throttlesPerSecond: { table: 5, other: 5 } },
    elsewhere('table'),
  ],
  [
    'is turned away as all are, for a quota',
    { utilization: 0.69, throttlesPerSecond: { other: 5 } },
    elsewhere('account'),
  ],
  [
    'is turned away as all are, for a setting',
    { utilization: 0.69, throttlesPerSecond: { other: 5 } },
    elsewhere('on_demand_maximum'),
  ],
])('does not grow what %s', async (_, heat, throttling) => {
  expect(await after(heat, throttling)).toBe(1);
  expect(devices).toEqual([]);
});

it.each<[string, Partial<PartitionHeat>, ThrottlingRate[]]>([
  ['used from 70 % on', { utilization: 0.7 }, []],
  ['throttled for its key', { utilization: 0.1, throttlesPerSecond: { key_range: 1 } }, []],
  ['throttled without a reason', { utilization: 0.1, throttlesPerSecond: { other: 1 } }, []],
  [
    'throttled without a reason where keys are',
    { utilization: 0.1, throttlesPerSecond: { other: 1 } },
    [...elsewhere('key_range'), ...elsewhere('other')],
  ],
  [
    'throttled without a reason while another index has run out',
    { utilization: 0.1, throttlesPerSecond: { other: 1 } },
    [...elsewhere('table', { index: 'table' }), ...elsewhere('table', { unit: 'read' })],
  ],
])('grows what is %s', async (_, heat, throttling) => {
  expect(await after(heat, throttling)).toBe(2);
});

it('grows what several processes use together once their figures cannot be late any more', async () => {
  const others = { unitsPerSecond: 500, utilization: 0.5, lagMs: 8000 };
  const inSum = { unitsPerSecond: 400, utilization: 0.4, others };
  const pressedAt = lately + others.lagMs;
  expect(await after({ ...inSum, pressedAt: pressedAt - 1 })).toBe(1);
  const less = { ...others, unitsPerSecond: 290, utilization: 0.29 };
  expect(await after({ ...inSum, others: less, pressedAt })).toBe(1);
  expect(await after({ ...inSum, pressedAt })).toBe(2);
});

it('does not wait for others where a key is hot by this process alone', async () => {
  const others = { unitsPerSecond: 500, utilization: 0.5, lagMs: 8000 };
  const throttled = { utilization: 0.1, throttlesPerSecond: { key_range: 1 }, others };
  expect(await after({ utilization: 0.4, others })).toBe(1);
  expect(await after(throttled)).toBe(2);
});

it.each([
  [{ others: { unitsPerSecond: 1900, utilization: 1.9, lagMs: 0 } }, 8],
  [{ throttledUnitsPerSecond: 900 }, 4],
  [{ throttledUnitsPerSecond: 1e9 }, 8],
  [{ unitsPerSecond: 0, utilization: 0, throttlesPerSecond: { key_range: 1 } }, 8],
])('grows by what is wanted, within bounds: %j to %i', async (heat, count) => {
  expect(await after(heat)).toBe(count);
});

it('leaves a device to whoever writes its readings', async () => {
  const index = 'table';
  await mitigation.mitigate({ ...pressed, index, partition: 'DEVICE#hot#3' }, []);
  expect(devices).toEqual(['hot']);
  expect(mitigation.shardsOf(index, 'DEVICE#hot#3')).toBe(4);
  const alone = new Mitigation({ shards });
  await alone.mitigate({ ...pressed, index, partition: 'DEVICE#hot' }, []);
  expect(alone.shardsOf(index, 'DEVICE#hot')).toBeUndefined();
  expect(alone.shardsOf(index, 'PLACE#p')).toBeUndefined();
});

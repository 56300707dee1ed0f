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
/** Devices for which more shards were requested. */
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
  mitigation = new Mitigation({ shards });
  mitigation.mitigateDevices({ shards: () => 4, grow });
});

afterEach(async () => {
  shards.close();
  await fixture.close();
});

const recently = 1000 + sustainedMs;

const sustained: PartitionHeat = {
  ...{ index: 'gsi1', unit: 'write', partition: 'LIST#DEVICE#0' },
  unitsPerSecond: 1000,
  uncertainty: 0,
  utilization: 1,
  throttlesPerSecond: {},
  throttledUnitsPerSecond: 0,
  hotSince: 1000,
  sustainedSince: 1000,
  sustainedUntil: recently,
};
const elsewhere = (scope: ThrottlingRate['scope'], more: Partial<ThrottlingRate> = {}) => [
  { index: 'gsi1', unit: 'write', reason: scope, scope, perSecond: 1, ...more } as const,
];

/** The number of shards afterwards. */
async function after(
  heat: Partial<PartitionHeat>,
  throttling: readonly ThrottlingRate[] = [],
): Promise<number> {
  await mitigation.mitigate({ ...sustained, ...heat }, throttling);
  return shards.known(deviceListFamily);
}

it('adds shards only to the family that is hot for long enough', async () => {
  expect(await after({ sustainedUntil: recently - 1 })).toBe(1);
  expect(await after({ sustainedSince: 1001 })).toBe(1);
  expect(await after({})).toBe(2);
  expect(shards.known(attributeFamily('a', 'b'))).toBe(1);
  await mitigation.mitigate({ ...sustained, index: 'gsi2', partition: 'A#a#b#0' }, []);
  expect(shards.known(attributeFamily('a', 'b'))).toBe(2);
  expect(mitigation.shardsOf('gsi2', 'A#a#b#1')).toBe(2);
  expect(devices).toEqual([]);
});

it.each<[string, Partial<PartitionHeat>, ThrottlingRate[]]>([
  ['is only read', { unit: 'read' }, []],
  ['was hot some time ago', { sustainedSince: recently }, []],
  ['belongs to no family', { partition: 'E#artist#7' }, []],
  ['is not a key of this index', { index: 'gsi2' }, []],
  ['is not throttled and uses less than 70 %', { utilization: 0.69 }, []],
  [
    'is throttled together with all keys, for the table',
    { utilization: 0.69, throttlesPerSecond: { table: 5, other: 5 } },
    elsewhere('table'),
  ],
  [
    'is throttled together with all keys, for a quota',
    { utilization: 0.69, throttlesPerSecond: { other: 5 } },
    elsewhere('account'),
  ],
  [
    'is throttled together with all keys, for a setting',
    { utilization: 0.69, throttlesPerSecond: { other: 5 } },
    elsewhere('on_demand_maximum'),
  ],
])('adds no shards to a key that %s', async (_, heat, throttling) => {
  expect(await after(heat, throttling)).toBe(1);
  expect(devices).toEqual([]);
});

it.each<[string, Partial<PartitionHeat>, ThrottlingRate[]]>([
  ['used at 70 % or more', { utilization: 0.7 }, []],
  ['throttled for its key', { utilization: 0.1, throttlesPerSecond: { key_range: 1 } }, []],
  ['throttled without a reason', { utilization: 0.1, throttlesPerSecond: { other: 1 } }, []],
  [
    'throttled without a reason while keys are throttled',
    { utilization: 0.1, throttlesPerSecond: { other: 1 } },
    [...elsewhere('key_range'), ...elsewhere('other')],
  ],
  [
    'throttled without a reason while another index is throttled',
    { utilization: 0.1, throttlesPerSecond: { other: 1 } },
    [...elsewhere('table', { index: 'table' }), ...elsewhere('table', { unit: 'read' })],
  ],
])('adds shards to a key %s', async (_, heat, throttling) => {
  expect(await after(heat, throttling)).toBe(2);
});

it('adds shards to a key hot by several processes after the delay of their reports', async () => {
  const others = { unitsPerSecond: 500, utilization: 0.5, lagMs: 8000 };
  const inSum = { unitsPerSecond: 400, utilization: 0.4, others };
  const sustainedUntil = recently + others.lagMs;
  expect(await after({ ...inSum, sustainedUntil: sustainedUntil - 1 })).toBe(1);
  const less = { ...others, unitsPerSecond: 290, utilization: 0.29 };
  expect(await after({ ...inSum, others: less, sustainedUntil })).toBe(1);
  expect(await after({ ...inSum, sustainedUntil })).toBe(2);
});

it('does not wait for reports of others where a key is hot by this process alone', async () => {
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
])('adds shards in proportion to the demand, within bounds: %j to %i', async (heat, count) => {
  expect(await after(heat)).toBe(count);
});

it('leaves a device to the service that writes its readings', async () => {
  const index = 'table';
  await mitigation.mitigate({ ...sustained, index, partition: 'DEVICE#hot#3' }, []);
  expect(devices).toEqual(['hot']);
  expect(mitigation.shardsOf(index, 'DEVICE#hot#3')).toBe(4);
  const alone = new Mitigation({ shards });
  await alone.mitigate({ ...sustained, index, partition: 'DEVICE#hot' }, []);
  expect(alone.shardsOf(index, 'DEVICE#hot')).toBeUndefined();
  expect(alone.shardsOf(index, 'PLACE#p')).toBeUndefined();
});

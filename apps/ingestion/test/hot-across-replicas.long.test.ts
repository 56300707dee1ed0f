import { deviceKey, devicePartition } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { SteadyUse, useUntil } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import { Replicas } from './replicas.ts';
import type { ShardEpoch } from '@engawa/keys';

const device = 'hot';
const hotFrom = 0.7;
/** Write units per second of a partition, as configured in the replicas. */
const settings = { PARTITION_WRITE_LIMIT: '10' };
/** Rounds of requests after which mitigation would have begun. */
const enoughRounds = 6;
const requests = 'engawa_hot_partition_peer_requests_total';
/** With this text a reading takes a write unit, alone or packed with others. */
const text = 'x'.repeat(900);

let fixture: IngestionFixture;
let replicas: Replicas;
/** Numbers of acknowledged readings. */
let taken: number[];
let sent: number;
beforeEach(async () => {
  [taken, sent] = [[], 0];
  fixture = await IngestionFixture.open();
});
afterEach(async () => {
  await replicas.close();
  await fixture.close();
});

async function epochs(): Promise<ShardEpoch[]> {
  const item = await fixture.table.get(deviceKey(device), { consistent: true });
  return item === undefined ? [] : (parseDevice(item).shards ?? []);
}

/** Sends readings of the device through each replica, which so uses this share of its partition. */
function loadsOf(shares: readonly number[]): SteadyUse[] {
  const firstTime = Date.now();
  const key = { index: 'table', unit: 'write', partition: devicePartition(device) } as const;
  return replicas.all.map(({ api }, index) => {
    const send = async () => {
      const number = sent++;
      const ts = new Date(firstTime + number).toISOString();
      const body = JSON.stringify({ device, ts, number, text });
      const headers = { 'content-type': 'application/json' };
      const answer = await fetch(`${api}/v1/readings`, { method: 'POST', headers, body });
      expect({ status: answer.status, ...((await answer.json()) as object) }).toMatchObject({
        ...{ status: 202, stored: 1 },
      });
      taken.push(number);
    };
    return new SteadyUse({ api, key, share: shares[index] ?? 0, send });
  });
}

async function storedNumbers(): Promise<number[]> {
  const counts = (await epochs()).map(({ count }) => count);
  const shards = Array.from({ length: Math.max(1, ...counts) }, (_, shard) => shard);
  const partitions = await Promise.all(
    shards.map((shard) => fixture.readingsIn(devicePartition(device, shard))),
  );
  return partitions.flat().map(({ fields }) => Number(fields['number']));
}

const ascending = (left: number, right: number) => left - right;

it('adds shards once for a device that is hot only by the total of replicas', async () => {
  replicas = await Replicas.start(fixture, settings);
  const loads = loadsOf([0.5, 0.5]);
  await useUntil(loads, 'more shards', async () => (await epochs()).length > 0);
  const before = taken.length;
  // Long enough for the shards to be used, and for another growth if there were a reason.
  await useUntil(loads, 'readings in them', () => taken.length > before + 300);
  for (const { highest } of loads) expect(highest).toBeLessThan(hotFrom);
  expect(await replicas.sum('engawa_hot_partition_throttles_per_second')).toBe(0);
  expect(await epochs()).toMatchObject([{ count: 2 }]);
  expect(await replicas.sum('engawa_partition_reshards_total', { family: 'DEVICE' })).toBe(1);
  expect(await fixture.readingsIn(devicePartition(device, 1))).not.toHaveLength(0);
  expect((await storedNumbers()).sort(ascending)).toEqual(taken.sort(ascending));
});

it('does nothing for a device whose total is below the threshold', async () => {
  replicas = await Replicas.start(fixture, settings);
  // The first replica polls: it uses more than half of the limit.
  const loads = loadsOf([0.45, 0.1]);
  const rounds = () => replicas.sum(requests, { outcome: 'answered' });
  await useUntil(loads, 'requests', async () => (await rounds()) >= 2 * enoughRounds);
  expect(await epochs()).toEqual([]);
  const reported = await Promise.all(loads.map((one) => one.reported()));
  for (const one of reported) expect(one).toMatchObject({ advice: [] });
  for (const one of reported) expect(one).not.toHaveProperty('hotSince');
  expect((await storedNumbers()).sort(ascending)).toEqual(taken.sort(ascending));
});

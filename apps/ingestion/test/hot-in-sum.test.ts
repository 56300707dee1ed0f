import { deviceKey, devicePartition } from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { until } from '@engawa/testing';
import { IngestionFixture } from './ingestion-fixture.ts';
import { Replicas } from './replicas.ts';
import { SteadyLoad } from './steady-load.ts';
import type { ShardEpoch } from '@engawa/keys';

const device = 'hot';
const hotFrom = 0.7;
/** Write units a second that one partition takes, as far as the replicas know. */
const settings = { PARTITION_WRITE_LIMIT: '10' };
/** Rounds of requests after which a mitigation would have begun. */
const enoughRounds = 6;

let fixture: IngestionFixture;
let replicas: Replicas;
beforeEach(async () => {
  fixture = await IngestionFixture.open();
  replicas = await Replicas.start(fixture, settings);
});
afterEach(async () => {
  await replicas.close();
  await fixture.close();
});

async function epochs(): Promise<ShardEpoch[]> {
  const item = await fixture.table.get(deviceKey(device), { consistent: true });
  return item === undefined ? [] : (parseDevice(item).shards ?? []);
}

/** One load for each replica. */
function loadsOf(shares: readonly number[]): SteadyLoad[] {
  let number = 0;
  return replicas.all.map((replica, index) => {
    const share = shares[index] ?? 0;
    return new SteadyLoad({ replica, device, share, nextNumber: () => number++ });
  });
}

const takenOf = (loads: readonly SteadyLoad[]) => loads.flatMap(({ taken }) => taken);

/** Sends until the condition holds. @throws Error where it does not within so many readings */
async function sendUntil(
  loads: readonly SteadyLoad[],
  what: string,
  condition: () => boolean | Promise<boolean>,
  most = 1000,
): Promise<void> {
  let isEnough = false;
  const waiting = until(
    what,
    async () => {
      if (takenOf(loads).length > most) throw new Error(`${most} readings, and not yet: ${what}`);
      return condition();
    },
    { progress: () => takenOf(loads).length },
  ).finally(() => (isEnough = true));
  await Promise.all([waiting, ...loads.map((load) => load.run(() => isEnough))]);
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

it('gives a device more shards that is hot only in the sum of replicas, once', async () => {
  const loads = loadsOf([0.5, 0.5]);
  await sendUntil(loads, 'more shards', async () => (await epochs()).length > 0);
  const before = takenOf(loads).length;
  // Long enough for the shards to be used, and for another growth, were there a reason.
  await sendUntil(loads, 'readings in them', () => takenOf(loads).length > before + 300);
  for (const { highest } of loads) expect(highest).toBeLessThan(hotFrom);
  expect(await replicas.sum('engawa_hot_partition_throttles_per_second')).toBe(0);
  expect(await epochs()).toMatchObject([{ count: 2 }]);
  expect(await replicas.sum('engawa_partition_reshards_total', { family: 'DEVICE' })).toBe(1);
  expect(await fixture.readingsIn(devicePartition(device, 1))).not.toHaveLength(0);
  expect((await storedNumbers()).sort(ascending)).toEqual(takenOf(loads).sort(ascending));
});

it('does nothing about a device of which the sum is below the threshold', async () => {
  // The first alone may be a part of a sum that is too high, so it asks.
  const loads = loadsOf([0.45, 0.1]);
  const answered = { outcome: 'answered' };
  const requests = 'engawa_hot_partition_peer_requests_total';
  await sendUntil(loads, 'requests among them', async () => {
    return (await replicas.sum(requests, answered)) >= 2 * enoughRounds;
  });
  expect(await epochs()).toEqual([]);
  const [heat] = await Promise.all(replicas.all.map((one) => one.heatOf(devicePartition(device))));
  expect(heat).toMatchObject({ advice: [] });
  expect(heat).not.toHaveProperty('hotSince');
});

import { ShardMap, ShardMetrics } from '@engawa/table';
import pino from 'pino';
import { Registry } from 'prom-client';
import { DeviceStore } from '../src/devices/device-store.ts';
import { DeviceCache } from '../src/devices/device-cache.ts';
import type { ShardFamily } from '@engawa/keys';
import type { Table } from '@engawa/table';

/** A clock that advances with each step of the test, independent of real time. */
export class TestClock {
  #steady = 0;

  now = () => ({ wall: 1_000_000_000_000 + this.#steady, steady: this.#steady });

  pass(milliseconds: number): void {
    this.#steady += milliseconds;
  }
}

/** What one of the services knows of shards, and how it writes and asks by that. */
export interface Replica {
  shards: ShardMap;
  devices: DeviceStore;
}

export function replicaOn(table: Table, clock: TestClock): Replica {
  const metrics = new ShardMetrics(new Registry());
  const log = pino({ enabled: false });
  const shards = new ShardMap({ table, metrics, log, now: clock.now });
  const known = new DeviceCache();
  return { shards, devices: new DeviceStore({ table, shards, known, quiescenceMs: 0 }) };
}

/** Until these replicas write into so many shards: the growth is won by the first, and learned by all. */
export async function grow(
  replicas: readonly [Replica, ...Replica[]],
  { family, count, clock }: { family: ShardFamily; count: number; clock: TestClock },
): Promise<void> {
  while (replicas.some(({ shards }) => shards.toWrite(family) < count)) {
    await replicas[0].shards.grow(family, { demand: 0, sustainedMs: 0 });
    for (const leap of [5001, 7001]) {
      clock.pass(leap);
      await Promise.all(replicas.map((replica) => learn(replica, family)));
    }
  }
}

/** As often as it takes: a look that was under way when the clock leapt is too old. */
async function learn({ shards }: Replica, family: ShardFamily): Promise<void> {
  for (let isKnown = false; !isKnown;) {
    isKnown = await shards.toRead(family).then(
      () => true,
      () => false,
    );
  }
}

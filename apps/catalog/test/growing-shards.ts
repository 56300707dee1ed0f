import {
  attributeFamily,
  entityListFamily,
  entityListPartition,
  attributePartition,
  textChangeFamily,
} from '@engawa/keys';
import { ShardMap, ShardMetrics } from '@engawa/table';
import pino from 'pino';
import { Registry } from 'prom-client';
import { Players } from './players.ts';
import type { ShardFamily } from '@engawa/keys';
import type { Table } from '@engawa/table';

/** A logical clock that the test advances. */
export class TestClock {
  #steady = 0;

  now = () => ({ wall: 1_000_000_000_000 + this.#steady, steady: this.#steady });

  pass(milliseconds: number): void {
    this.#steady += milliseconds;
  }
}

/** One replica: its shard map, and its store. */
export interface Replica {
  shards: ShardMap;
  players: Players;
}

export function replicaOn(table: Table, clock: TestClock): Replica {
  const metrics = new ShardMetrics(new Registry());
  const log = pino({ enabled: false });
  const shards = new ShardMap({ table, metrics, log, now: clock.now });
  return { shards, players: new Players({ table, shards }) };
}

/** All key families of players. */
export const families: readonly ShardFamily[] = [
  entityListFamily('Player'),
  ...['byName', 'own', 'rows'].map((search) => attributeFamily('Player', search)),
  textChangeFamily,
];

/** Resolves when these replicas write into `count` shards: one replica adds them, and all read the new shard map. */
export async function grow(
  replicas: readonly [Replica, ...Replica[]],
  { count, clock }: { count: number; clock: TestClock },
): Promise<void> {
  const haveGrown = () =>
    replicas.every(({ shards }) => families.every((family) => shards.toWrite(family) >= count));
  while (!haveGrown()) {
    const growth = { demand: 0, sustainedMs: 0 };
    await Promise.all(families.map((family) => replicas[0].shards.grow(family, growth)));
    for (const advanceMs of [5001, 7001]) {
      clock.pass(advanceMs);
      await Promise.all(replicas.map(learn));
    }
  }
}

/** Repeated, since a poll that began before the clock was advanced is too old. */
async function learn({ shards }: Replica): Promise<void> {
  for (let isKnown = false; !isKnown;) {
    isKnown = await shards.toRead(textChangeFamily).then(
      () => true,
      () => false,
    );
  }
}

/** The number of rows in each of the first four shards, for the list, the search and both rankings. */
export async function sizes(table: Table): Promise<number[][]> {
  const partitions = [
    (shard: number) => ({ index: 'gsi1', pk: entityListPartition(shard, 'Player') }) as const,
    ...['byName', 'own', 'rows'].map(
      (search) => (shard: number) =>
        ({ index: 'gsi2', pk: attributePartition(shard, 'Player', search) }) as const,
    ),
  ];
  return Promise.all(
    partitions.map((of) =>
      Promise.all([0, 1, 2, 3].map(async (shard) => (await table.count(of(shard))).count)),
    ),
  );
}

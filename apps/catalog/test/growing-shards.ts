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

/** A clock that goes by what is done, however long that takes. */
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
  players: Players;
}

export function replicaOn(table: Table, clock: TestClock): Replica {
  const metrics = new ShardMetrics(new Registry());
  const log = pino({ enabled: false });
  const shards = new ShardMap({ table, metrics, log, now: clock.now });
  return { shards, players: new Players({ table, shards }) };
}

/** All families of index keys that players are in. */
export const families: readonly ShardFamily[] = [
  entityListFamily('Player'),
  ...['byName', 'own', 'rows'].map((search) => attributeFamily('Player', search)),
  textChangeFamily,
];

/** Until these replicas write into so many shards: the growth is won by the first, and learned by all. */
export async function grow(
  replicas: readonly [Replica, ...Replica[]],
  { count, clock }: { count: number; clock: TestClock },
): Promise<void> {
  const isThere = () =>
    replicas.every(({ shards }) => families.every((family) => shards.toWrite(family) >= count));
  while (!isThere()) {
    const growth = { demand: 0, sustainedMs: 0 };
    await Promise.all(families.map((family) => replicas[0].shards.grow(family, growth)));
    for (const leap of [5001, 7001]) {
      clock.pass(leap);
      await Promise.all(replicas.map(learn));
    }
  }
}

/** As often as it takes: a look that was under way when the clock leapt is too old. */
async function learn({ shards }: Replica): Promise<void> {
  for (let isKnown = false; !isKnown;) {
    isKnown = await shards.toRead(textChangeFamily).then(
      () => true,
      () => false,
    );
  }
}

/** How many there are in each of the first four shards: of the list, the search, and the two rankings. */
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

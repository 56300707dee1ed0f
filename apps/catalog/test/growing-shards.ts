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
import type { TestClock } from '@engawa/testing';

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

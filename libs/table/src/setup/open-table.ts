import { randomBytes } from 'node:crypto';
import { Heat, keyNamer } from '@engawa/heat';
import { connectTable } from './connect-table.ts';
import { HeatMetrics } from '../heat/heat-metrics.ts';
import { HeatRecorder } from '../heat/heat-recorder.ts';
import { HeatWatch } from '../heat/heat-watch.ts';
import { Mitigation } from '../heat/mitigation.ts';
import { tableLocation } from './settings.ts';
import { ShardMap } from '../shards/shard-map.ts';
import { ShardMetrics } from '../shards/shard-metrics.ts';
import { TableMetrics } from '../observe/table-metrics.ts';
import type { KeyNamer, KeyNaming } from '@engawa/heat';
import type { ServiceContext } from '@engawa/service';
import type { TableConfig } from './settings.ts';
import type { Table } from '../table.ts';

/** The table as a service uses it, with its shard map and heat. */
export interface OpenTable {
  table: Table;
  shards: ShardMap;
  shardMetrics: ShardMetrics;
  /** The public name of a partition key. */
  nameOf: KeyNamer;
  /** Starts the checks for hot partitions. */
  watchHeat: () => HeatWatch;
}

/** Opens the table for a service, which becomes ready once the table responds. Everything closes with the service. */
export function openTable(
  context: ServiceContext<TableConfig & { CURSOR_SECRET?: string | undefined }>,
): OpenTable {
  const { config, log, registry, readiness, onClose } = context;
  const limits = { read: config.PARTITION_READ_LIMIT, write: config.PARTITION_WRITE_LIMIT };
  const heat = new Heat({ limits });
  const metrics = new TableMetrics(registry);
  const capacity = config.DYNAMODB_CONSUMED_CAPACITY;
  const maxRequestBytes = config.DYNAMODB_MAX_REQUEST_BYTES;
  const requests = { capacity, maxRequestBytes };
  const table = connectTable({ ...tableLocation(config), ...requests, metrics, heat, log });
  onClose('table', () => table.close());
  readiness.require('table', () => table.unavailableReason());

  const naming = config.HOT_PARTITION_KEYS;
  const secret = config.CURSOR_SECRET ?? randomBytes(32).toString('base64');
  const namerOf = (naming: KeyNaming) => keyNamer({ naming, secret });
  const namers = { shown: namerOf('shown'), hashed: namerOf('hashed'), hidden: namerOf('hidden') };
  const nameOf = namers[naming];
  new HeatMetrics({ heat, nameOf, registry });
  const history = new HeatRecorder({ heat, keys: naming, nameOf, log });
  onClose('heat history', () => history.close());

  const shardMetrics = new ShardMetrics(registry);
  const shards = new ShardMap({
    ...{ table, metrics: shardMetrics, log },
    onReshard: (event) => history.resharded(event),
  });
  onClose('shard map', () => shards.close());

  const watchHeat = (): HeatWatch => {
    const watch = new HeatWatch({
      ...{ heat, history },
      mitigation: new Mitigation({ shards }),
      grows: config.SHARD_GROWTH === 'on',
      keys: naming,
      namers,
      log,
    });
    onClose('heat', () => watch.close());
    return watch;
  };
  return { table, shards, shardMetrics, nameOf, watchHeat };
}

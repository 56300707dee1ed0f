import { highest, hotFrom } from '../expressions.ts';
import { table, timeseries } from '../panels.ts';
import { rateBy, series } from '../series.ts';
import { explained } from './hot-partitions-explained.ts';
import { growth } from '../rules/growth.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const ofPods = 'pod=~"$pod"';
const key = 'component, index, unit, partition';
const keyLegend = '{{component}} {{index}} {{unit}} {{partition}}';
const shown = 10;

/** Each process counts only its own requests, so the units of a key are the sum over all processes. */
const unitsByKey = `sum by (${key}) (${series('engawa_hot_partition_units_per_second', ofPods)})`;
const throttlesByKey = `sum by (${key}) (${series('engawa_hot_partition_throttles_per_second', ofPods)})`;
const ofOneProcess = `max by (${key}) (${series('engawa_hot_partition_utilization_ratio', ofPods)})`;
const shares = `sum by (${key}) (${series('engawa_hot_partition_utilization_ratio', ofPods)})`;

export function hottest(): Panel[] {
  return [
    timeseries({
      title: 'Partition utilization by key',
      description:
        'Throughput of each key as a share of the limit of one partition, all processes of a service added up; the ten keys with the highest peaks. Below the first threshold: no action. Above the second: DynamoDB throttles the key, or has split its partition.',
      unit: 'percentunit',
      queries: [{ expr: highest(shown, shares), legend: keyLegend }],
      limits: { warning: hotFrom, critical: 1 },
      many: true,
      sparse: true,
      width: 24,
      height: 9,
    }),
    explained(),
    hottestNow(),
    hottestOfOne(),
    ...byKey(),
  ];
}

function hottestNow(): Panel {
  return table({
    title: 'Hottest keys',
    description:
      'The keys with the highest utilization now, with their units and throttles a second. Start with a key that has throttles; “Hot keys, explained” has advice for it.',
    unit: 'short',
    queries: [
      { expr: `topk(${shown}, ${shares})`, legend: 'share' },
      { expr: unitsByKey, legend: 'units' },
      { expr: throttlesByKey, legend: 'throttles' },
    ],
    columns: [
      { from: 'partition', title: 'partition' },
      { from: 'component', title: 'service' },
      { from: 'index', title: 'index' },
      { from: 'unit', title: 'unit' },
      {
        from: 'Value #A',
        title: 'share',
        unit: 'percentunit',
        limits: { warning: hotFrom, critical: 1 },
      },
      { from: 'Value #B', title: 'units/s' },
      { from: 'Value #C', title: 'throttles/s', limits: { critical: 0.01 } },
    ],
    sortedBy: [{ title: 'share', descending: true }],
    width: 12,
    height: 9,
  });
}

function hottestOfOne(): Panel {
  return timeseries({
    title: 'Highest utilization by a single process',
    description:
      'The highest share of a partition’s limit that a single process uses of each key. A process adds shards when its own use and the use that its peers report reach 70 % in total.',
    unit: 'percentunit',
    queries: [{ expr: highest(shown, ofOneProcess), legend: keyLegend }],
    limits: { warning: hotFrom, critical: 1 },
    sparse: true,
    width: 12,
    height: 9,
  });
}

function byKey(): Panel[] {
  return [
    timeseries({
      title: 'Units by key',
      description:
        'Capacity units a second of the hottest keys. Limits of a partition: 1,000 write and 3,000 read units a second.',
      unit: 'suffix:units/s',
      queries: [{ expr: highest(shown, unitsByKey), legend: keyLegend }],
      sparse: true,
      width: 12,
    }),
    timeseries({
      title: 'Throttles by key',
      description:
        'Throttled items and queries a second, by key. Good: none. A short peak ends when the key has more shards; a lasting one needs action.',
      unit: 'ops',
      queries: [{ expr: highest(shown, throttlesByKey), legend: keyLegend }],
      sparse: true,
      width: 12,
    }),
  ];
}

export function throttling(): Panel[] {
  const throttled = (labels: string) =>
    rateBy(labels, 'engawa_table_throttled_attempts_total', ofPods);
  return [
    timeseries({
      title: 'Throttled attempts by scope',
      description:
        'Throttled attempts a second, by scope. key_range: a hot key, which more capacity does not help. table, account, on_demand_maximum: a configured limit or a quota that can be raised. “Throttling scopes” below has the action for each scope.',
      unit: 'ops',
      stacked: true,
      queries: [{ expr: throttled('scope'), legend: '{{scope}}' }],
    }),
    timeseries({
      title: 'Throttled attempts by reason',
      description:
        'Throttled attempts a second, by the reason that DynamoDB reports. The reason says whether the table or an index is at its limit.',
      unit: 'ops',
      stacked: true,
      queries: [{ expr: throttled('reason, index'), legend: '{{reason}} {{index}}' }],
    }),
    timeseries({
      title: 'Throttled attempts by operation',
      description:
        'Throttled attempts a second, by service and operation. A throttled index also causes throttled writes to the table.',
      unit: 'ops',
      stacked: true,
      queries: [
        {
          expr: throttled('component, operation, index'),
          legend: '{{component}} {{operation}} {{index}}',
        },
      ],
    }),
  ];
}

export function mitigation(): Panel[] {
  return [
    timeseries({
      title: 'Shards by key family',
      description:
        'Shards of each key family; for devices, the highest number of any device. Engawa adds shards to hot keys and never removes them. A read costs one Query per shard.',
      unit: 'short',
      queries: [
        { expr: `max by (family) (${series('engawa_partition_shards')})`, legend: '{{family}}' },
      ],
      width: 12,
    }),
    timeseries({
      title: 'Shard increases in an hour',
      description:
        'Increases of the number of shards in the last hour, by key family. Utilization should fall after each. None while a key stays hot: SHARD_GROWTH is off, or the key cannot be sharded.',
      unit: 'short',
      queries: [
        {
          expr: growth({
            ...{ metric: 'engawa_partition_reshards_total', matchers: [ofPods] },
            ...{ by: ['family'], minutes: 60 },
          }),
          legend: '{{family}}',
        },
      ],
      width: 6,
    }),
    timeseries({
      title: 'Shard map reads',
      description:
        'Queries of the shard map a second. Good: 0.5 for each process that uses lists. 0: the process does not learn of new shards, and refuses writes to sharded families.',
      unit: 'ops',
      queries: [
        {
          expr: rateBy('component', 'engawa_shard_map_reads_total', ofPods),
          legend: '{{component}}',
        },
      ],
      width: 6,
    }),
    requestsAmongReplicas(),
  ];
}

function requestsAmongReplicas(): Panel {
  return timeseries({
    title: 'Requests among replicas',
    description:
      'Requests a second to other replicas for the partition keys that they use, by outcome. 0: no key can be hot only in total. Refused: replicas have different values of CURSOR_SECRET.',
    unit: 'ops',
    queries: [
      {
        expr: rateBy('component, outcome', 'engawa_hot_partition_peer_requests_total', ofPods),
        legend: '{{component}} {{outcome}}',
      },
    ],
    width: 24,
  });
}

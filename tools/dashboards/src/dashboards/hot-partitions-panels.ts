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

/** All processes add to what a key takes: each counts only what it sent itself. */
const unitsByKey = `sum by (${key}) (${series('engawa_hot_partition_units_per_second', ofPods)})`;
const throttlesByKey = `sum by (${key}) (${series('engawa_hot_partition_throttles_per_second', ofPods)})`;
const ofOneProcess = `max by (${key}) (${series('engawa_hot_partition_utilization_ratio', ofPods)})`;
const shares = `sum by (${key}) (${series('engawa_hot_partition_utilization_ratio', ofPods)})`;

export function hottest(): Panel[] {
  return [
    timeseries({
      title: 'Partition utilization by key',
      description:
        'How much of what one partition takes each key takes: all processes of a service together; the ten keys with the highest peaks. Below the first line all is well; above the second it is throttled, or AWS has split the partition.',
      unit: 'percentunit',
      queries: [{ expr: highest(shown, shares), legend: keyLegend }],
      limits: { warning: hotFrom, critical: 1 },
      many: true,
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
      'The keys that are used most now, with their units and throttles a second. A key with throttles is the one to look after first; what to do about it is below.',
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
    sortedBy: 'share',
    width: 12,
    height: 9,
  });
}

function hottestOfOne(): Panel {
  return timeseries({
    title: 'Highest utilization by a single process',
    description:
      'The highest share that any single process takes of a key. Each process acts on what it sends itself: keys are spread by it from 70 % on.',
    unit: 'percentunit',
    queries: [{ expr: highest(shown, ofOneProcess), legend: keyLegend }],
    limits: { warning: hotFrom, critical: 1 },
    width: 12,
    height: 9,
  });
}

function byKey(): Panel[] {
  return [
    timeseries({
      title: 'Units by key',
      description:
        'Capacity units a second that the hottest keys take. Compare with the limits of a partition: 1,000 write and 3,000 read units a second.',
      unit: 'suffix:units/s',
      queries: [{ expr: highest(shown, unitsByKey), legend: keyLegend }],
      width: 12,
    }),
    timeseries({
      title: 'Throttles by key',
      description:
        'Items and questions a second that came back throttled, by key. Good: none. A short peak ends when the key has got more shards; one that stays needs you.',
      unit: 'ops',
      queries: [{ expr: highest(shown, throttlesByKey), legend: keyLegend }],
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
        'Attempts that came back throttled a second, by scope. key_range: a hot key, more capacity does not help. table, account, on_demand_maximum: a limit that somebody has set or may raise. The text below says what to do.',
      unit: 'ops',
      stacked: true,
      queries: [{ expr: throttled('scope'), legend: '{{scope}}' }],
    }),
    timeseries({
      title: 'Throttled attempts by reason',
      description:
        'The same by the reason that DynamoDB gives, which also says whether it is the table or an index that cannot take more.',
      unit: 'ops',
      stacked: true,
      queries: [{ expr: throttled('reason, index'), legend: '{{reason}} {{index}}' }],
    }),
    timeseries({
      title: 'Throttled attempts by operation',
      description:
        'The same by what was being done, and in which service. Writes to the table are turned away as well where an index is throttled.',
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

export function relief(): Panel[] {
  return [
    timeseries({
      title: 'Shards by key family',
      description:
        'Shards of each family; of devices, the most that one of them has. Steps upwards are Engawa helping itself. They never go down, and reading costs a Query for each.',
      unit: 'short',
      queries: [
        { expr: `max by (family) (${series('engawa_partition_shards')})`, legend: '{{family}}' },
      ],
      width: 12,
    }),
    timeseries({
      title: 'Shard increases in an hour',
      description:
        'Increases of the number of shards in the last hour, by key family. After each, the utilization above should fall. None, though a key stays hot: SHARD_GROWTH is off, or the key cannot be spread.',
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
        'Queries for the shard map a second. Good: half a query for each process that uses lists. None: the process would not learn of more shards, and refuses to write to those families.',
      unit: 'ops',
      queries: [
        {
          expr: rateBy('component', 'engawa_shard_map_reads_total', ofPods),
          legend: '{{component}}',
        },
      ],
      width: 6,
    }),
    timeseries({
      title: 'Requests among replicas',
      description:
        'Requests a second to other replicas for the partition keys that they use, by outcome. None is good: no key can be hot in the sum of replicas only. Refused: replicas have different CURSOR_SECRETs.',
      unit: 'ops',
      queries: [
        {
          expr: rateBy('component, outcome', 'engawa_hot_partition_peer_requests_total', ofPods),
          legend: '{{component}} {{outcome}}',
        },
      ],
      width: 12,
    }),
  ];
}

import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const throttles = series('engawa_hot_partition_throttles_per_second');
const utilization = series('engawa_hot_partition_utilization_ratio');
const keyLabels = 'namespace, release, component, index, unit, partition';
const where = 'namespace, release, component, index, unit';

/** Throttled attempts a second of reads and of writes, for reasons of these scopes. */
function attempts(scopes: string, period: string): string {
  const rate = `rate(${series('engawa_table_throttled_attempts_total', `scope=~"${scopes}"`)}[${period}])`;
  const reads = '"unit", "read", "operation", "GetItem|BatchGetItem|TransactGetItems|Query|Scan"';
  const isRead = `label_replace(label_replace(${rate}, "unit", "write", "", ""), ${reads})`;
  return `sum by (${where}) (${isRead})`;
}

/**
 * Where a whole table or account is throttled, its hottest keys are throttled too, and are not the cause. A few such
 * throttles beside those of a key are another matter, and those of reads do not explain those of writes.
 */
const unlessAllAre = `unless on (${where}) (
  ${attempts('table|account|on_demand_maximum', '1m')}
  > 0.5 * ${attempts('.+', '1m')}
)`;

/** Keys whose use explains their throttles: from half of the limit on, by all processes together. */
const usedEnough = `and on (${keyLabels}) sum by (${keyLabels}) (max_over_time(${utilization}[1m])) >= 0.5`;

/** In brackets, which the dashboard leaves out: it has a column for each label. */
const key = '({{ $labels.unit }} {{ $labels.partition }} of {{ $labels.index }})';
const keyOf =
  'the partition key {{ $labels.partition }} of {{ $labels.index }} ({{ $labels.component }})';
const rate =
  'DynamoDB throttles {{ $value | humanize }} {{ $labels.unit }}s a second of {{ $labels.component }} to the partition key {{ $labels.partition }} of {{ $labels.index }}.';

export const hotPartition = [
  alertRule({
    name: 'EngawaHotPartition',
    // Two scrapes in a row, 15 s apart: at most 15 + 15 + 15 s after the first throttle.
    expression: `sum by (${keyLabels}) (${throttles}) > 0\n${usedEnough}\n${unlessAllAre}`,
    holdsFor: '15s',
    severity: 'warning',
    summary: `{{ $labels.release }}: DynamoDB throttles a partition key ${key}`,
    description: `${rate} Engawa adds shards to most keys within half a minute. No data is lost.`,
    dashboard: 'engawa-hot-partitions',
  }),
  alertRule({
    name: 'EngawaHotPartition',
    // Each doubling of shards takes 10 s of heat and 7 s of notice. A gap of less than a minute is
    // a backoff, not the end.
    expression: `sum by (${keyLabels}) (max_over_time(${throttles}[1m])) > 0\n${usedEnough}\n${unlessAllAre}`,
    holdsFor: '10m',
    severity: 'critical',
    summary: `{{ $labels.release }}: DynamoDB has throttled a partition key for ten minutes ${key}`,
    description: `${rate} Automatic mitigation has not ended it: the key cannot be sharded, SHARD_GROWTH is off, or 64 shards are not enough.`,
    dashboard: 'engawa-hot-partitions',
  }),
  alertRule({
    name: 'EngawaThrottledBelowLimit',
    expression: [
      `${attempts('key_range|other', '2m')} > 0`,
      `unless on (${where}) (sum by (${keyLabels}) (max_over_time(${throttles}[2m])) > 0 ${usedEnough})`,
      unlessAllAre,
    ].join('\n'),
    holdsFor: '5m',
    severity: 'warning',
    summary:
      '{{ $labels.release }}: DynamoDB throttles {{ $labels.unit }}s of {{ $labels.index }}, but no known key is near its limit',
    description:
      'DynamoDB throttles {{ $value | humanize }} {{ $labels.unit }}s a second of {{ $labels.component }} ({{ $labels.index }}). No partition key that Engawa counts uses half of the limit of a partition: the cause is another one than a hot key of Engawa.',
    dashboard: 'engawa-hot-partitions',
  }),
  alertRule({
    name: 'EngawaPartitionNearLimit',
    expression: `sum by (${keyLabels}) (${utilization}) > 0.9`,
    holdsFor: '1h',
    severity: 'warning',
    summary: `{{ $labels.release }}: a partition key has been near its limit for an hour ${key}`,
    description: `All processes together use {{ $value | humanizePercentage }} of the {{ $labels.unit }} units that one partition serves of ${keyOf}. A small increase will be throttled.`,
    dashboard: 'engawa-hot-partitions',
  }),
];

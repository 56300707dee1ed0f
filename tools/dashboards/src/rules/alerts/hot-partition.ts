import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const throttles = series('engawa_hot_partition_throttles_per_second');
const keyLabels = 'namespace, release, component, index, unit, partition';
const where = 'namespace, release, component, index';

/** Where a whole table or account is throttled, its hottest keys are throttled too, and are not the cause. */
const unlessAllAre = `unless on (${where})
sum by (${where}) (
  rate(${series('engawa_table_throttled_attempts_total', 'scope=~"table|account|on_demand_maximum"')}[1m])
) > 0`;

/** In brackets, which the dashboard leaves out: it has a column for each label. */
const key = '({{ $labels.unit }} {{ $labels.partition }} of {{ $labels.index }})';
const rate =
  'DynamoDB throttles {{ $value | humanize }} {{ $labels.unit }}s a second of {{ $labels.component }} to the partition key {{ $labels.partition }} of {{ $labels.index }}.';

export const hotPartition = [
  alertRule({
    name: 'EngawaHotPartition',
    // Two scrapes in a row, 15 s apart: at most 15 + 15 + 15 s after the first throttle.
    expression: `sum by (${keyLabels}) (${throttles}) > 0\n${unlessAllAre}`,
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
    expression: `sum by (${keyLabels}) (max_over_time(${throttles}[1m])) > 0\n${unlessAllAre}`,
    holdsFor: '10m',
    severity: 'critical',
    summary: `{{ $labels.release }}: DynamoDB has throttled a partition key for ten minutes ${key}`,
    description: `${rate} Automatic mitigation has not ended it: the key cannot be sharded, SHARD_GROWTH is off, or 64 shards are not enough.`,
    dashboard: 'engawa-hot-partitions',
  }),
];

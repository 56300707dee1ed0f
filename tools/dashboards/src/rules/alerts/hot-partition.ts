import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const throttles = series('engawa_hot_partition_throttles_per_second');
const key = 'namespace, release, component, index, unit, partition';
const where = 'namespace, release, component, index';

/** Where a whole table or account is throttled, its hottest keys are too, and are not what is wrong. */
const unlessAllAre = `unless on (${where})
sum by (${where}) (
  rate(${series('engawa_table_throttled_attempts_total', 'scope=~"table|account|on_demand_maximum"')}[1m])
) > 0`;

const summary =
  '{{ $labels.release }}: the key {{ $labels.partition }} of {{ $labels.index }} is throttled ({{ $labels.unit }})';
const rate =
  '{{ $value | humanize }} {{ $labels.unit }}s a second of {{ $labels.component }} to the partition key {{ $labels.partition }} of {{ $labels.index }} come back throttled.';

export const hotPartition = [
  alertRule({
    name: 'EngawaHotPartition',
    // Two scrapes in a row, 15 s apart: at most 15 + 15 + 15 s after the first throttle.
    expression: `sum by (${key}) (${throttles}) > 0\n${unlessAllAre}`,
    holdsFor: '15s',
    severity: 'warning',
    summary,
    description: `${rate} Most keys get more shards by themselves within half a minute; nothing is lost meanwhile.`,
    dashboard: 'engawa-hot-partitions',
  }),
  alertRule({
    name: 'EngawaHotPartition',
    // Relief takes 10 s of heat and 7 s of notice for each doubling. Gaps are those of a backoff, not of relief.
    expression: `sum by (${key}) (max_over_time(${throttles}[1m])) > 0\n${unlessAllAre}`,
    holdsFor: '10m',
    severity: 'critical',
    summary: `${summary}, and relief has not ended it`,
    description: `${rate} It has lasted for ten minutes: either this key cannot be spread, or SHARD_GROWTH is off, or 64 shards are not enough.`,
    dashboard: 'engawa-hot-partitions',
  }),
];

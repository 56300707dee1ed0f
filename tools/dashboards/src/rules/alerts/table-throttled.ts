import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

/** Attempts a second that were throttled for what these scopes are limited by. */
function throttledFor(scopes: string): string {
  return `sum by (namespace, release, index, scope, reason) (
  rate(${series('engawa_table_throttled_attempts_total', `scope=~"${scopes}"`)}[2m])
) > 0`;
}

const rate =
  '{{ $value | humanize }} attempts a second come back with {{ $labels.reason }} ({{ $labels.index }}).';

export const tableThrottled = [
  alertRule({
    name: 'EngawaTableThrottled',
    expression: throttledFor('table|on_demand_maximum'),
    // What DynamoDB scales by itself does so within a few minutes.
    holdsFor: '3m',
    severity: 'warning',
    summary:
      '{{ $labels.release }}: the table throttles, since a limit that is set for it is reached',
    description: `${rate} Raise what {{ $labels.index }} is provisioned with, or its on-demand maximum; an index has its own.`,
    dashboard: 'engawa-hot-partitions',
  }),
  alertRule({
    name: 'EngawaAccountLimit',
    expression: throttledFor('account'),
    holdsFor: '1m',
    severity: 'warning',
    summary: '{{ $labels.release }}: the AWS account is at its quota for DynamoDB in this Region',
    description: `${rate} Only AWS can raise the quota; it holds for a table and each of its indexes.`,
    dashboard: 'engawa-hot-partitions',
  }),
];

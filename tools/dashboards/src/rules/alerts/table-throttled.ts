import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

/** Attempts a second that were throttled by a limit of these scopes. */
function throttledFor(scopes: string): string {
  return `sum by (namespace, release, index, scope, reason) (
  rate(${series('engawa_table_throttled_attempts_total', `scope=~"${scopes}"`)}[2m])
) > 0`;
}

const rate =
  '{{ $value | humanize }} attempts a second fail with {{ $labels.reason }} ({{ $labels.index }}).';

export const tableThrottled = [
  alertRule({
    name: 'EngawaTableThrottled',
    expression: throttledFor('table|on_demand_maximum'),
    // DynamoDB's autoscaling takes a few minutes.
    holdsFor: '3m',
    severity: 'warning',
    summary: '{{ $labels.release }}: the table throttles at a configured limit',
    description: `${rate} Raise the provisioned units of {{ $labels.index }}, or its on-demand maximum; an index has its own limits.`,
    dashboard: 'engawa-hot-partitions',
  }),
  alertRule({
    name: 'EngawaAccountLimit',
    expression: throttledFor('account'),
    holdsFor: '1m',
    severity: 'warning',
    summary: '{{ $labels.release }}: the AWS account is at its quota for DynamoDB in this Region',
    description: `${rate} Only AWS can raise the quota; the table and each index have the same one.`,
    dashboard: 'engawa-hot-partitions',
  }),
];

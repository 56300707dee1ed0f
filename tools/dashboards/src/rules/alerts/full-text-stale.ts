import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const staleness = `max by (namespace, release, component, pod) (
  ${series('engawa_full_text_stale_seconds')}
)`;

/** Seconds, more than any index can be stale: without an index the metric counts from 1970. */
const noIndex = '1e9';

export const fullTextStale = [
  alertRule({
    name: 'EngawaFullTextStale',
    expression: `${staleness} > 300 < ${noIndex}`,
    holdsFor: '5m',
    severity: 'warning',
    labels: { cause: 'behind' },
    summary: '{{ $labels.release }}: the full-text index of {{ $labels.pod }} is stale',
    description:
      'Searches may miss changes of the last {{ $value | humanizeDuration }}. All other requests read the table and are current.',
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaFullTextStale',
    expression: `${staleness} > ${noIndex}`,
    // Each start builds the index from all entities.
    holdsFor: '30m',
    severity: 'warning',
    labels: { cause: 'missing' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} has no full-text index',
    description:
      'The replica has had no index for half an hour. Searches are answered with 503 until it has one.',
    dashboard: 'engawa-overview',
  }),
];

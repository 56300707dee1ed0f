import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const staleness = `max by (namespace, release, component, pod) (
  ${series('engawa_full_text_stale_seconds')}
)`;

/** Seconds that no index is behind by: where there is none, the metric counts from 1970. */
const noIndex = '1e9';

export const fullTextStale = [
  alertRule({
    name: 'EngawaFullTextStale',
    expression: `${staleness} > 300 < ${noIndex}`,
    holdsFor: '5m',
    severity: 'warning',
    labels: { cause: 'behind' },
    summary: '{{ $labels.release }}: the search of {{ $labels.pod }} is out of date',
    description:
      'What has changed in the last {{ $value | humanizeDuration }} may not be found. All else is up to date.',
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaFullTextStale',
    expression: `${staleness} > ${noIndex}`,
    // It is made anew at each start, from all entities.
    holdsFor: '30m',
    severity: 'warning',
    labels: { cause: 'missing' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} has no full-text index',
    description:
      'It has not been made for half an hour; until it is, searches are answered with 503.',
    dashboard: 'engawa-overview',
  }),
];

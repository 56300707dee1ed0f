import { alertRule } from '../rule.ts';
import { wantedComponents } from '../wanted.ts';
import { series } from '../../series.ts';

const up = series('up', 'component!=""');
const wanted = series(wantedComponents);
const component = 'namespace, release, component';

export const absent = [
  alertRule({
    name: 'EngawaAbsent',
    expression: `max by (${component}) (${up}) == 0`,
    // Replacing a single replica takes less.
    holdsFor: '2m',
    severity: 'critical',
    labels: { cause: 'down' },
    summary: '{{ $labels.release }}: no replica of {{ $labels.component }} answers',
    description:
      'Prometheus has discovered its pods, but none of them has answered a scrape for two minutes.',
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaAbsent',
    // A release that has just been installed needs time for its images, and Prometheus for its configuration.
    expression: `${wanted}
and ${wanted} offset 5m
unless on (${component}) ${up}`,
    holdsFor: '2m',
    severity: 'critical',
    labels: { cause: 'missing' },
    summary: '{{ $labels.release }}: {{ $labels.component }} has no pods',
    description:
      'The component is enabled in the release, and Prometheus has found no pods of it for two minutes.',
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaAbsent',
    expression: `max by (${component}, pod) (${up}) == 0`,
    holdsFor: '10m',
    severity: 'warning',
    labels: { cause: 'replica' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} does not answer',
    description: 'The pod has not answered a scrape for ten minutes.',
    dashboard: 'engawa-overview',
  }),
];

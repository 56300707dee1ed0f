import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const component = 'namespace, release, component';
const ready = series('engawa_ready');
const hasTable = series('engawa_requirement_met', 'requirement="table"');

/** An outage of the table leaves replicas ready (docs/adr/0052), and without traffic nothing counts an error. */
export const notReady = [
  alertRule({
    name: 'EngawaNotReady',
    expression: `max by (${component}) (${ready}) == 0`,
    holdsFor: '2m',
    severity: 'critical',
    labels: { cause: 'component' },
    summary: '{{ $labels.release }}: no replica of {{ $labels.component }} is ready',
    description:
      'All of its replicas have been starting or closing for two minutes, so Kubernetes sends them no requests. /readyz of a pod names the unmet requirements.',
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaNotReady',
    expression: `max by (${component}) (${hasTable}) == 0`,
    holdsFor: '2m',
    severity: 'critical',
    labels: { cause: 'table' },
    summary: '{{ $labels.release }}: {{ $labels.component }} cannot use the table',
    description:
      'No replica has been able to use the table for two minutes: every request is answered with 503. /readyz of a pod says why.',
    dashboard: 'engawa-overview',
  }),
  alertRule({
    name: 'EngawaNotReady',
    expression: `min by (${component}, pod) (${ready} or ${hasTable}) == 0`,
    holdsFor: '10m',
    severity: 'warning',
    labels: { cause: 'replica' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} is not ready, or cannot use the table',
    description: 'The condition has lasted for ten minutes. /readyz of the pod says why.',
    dashboard: 'engawa-overview',
  }),
];

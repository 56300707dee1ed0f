import { series } from '../../series.ts';
import { alertRule } from '../rule.ts';

const limited = (limits: string): string =>
  `max by (namespace, release, component, pod, limit) (
  ${series('engawa_mqtt_broker_limits', `limit=~"${limits}"`)}
) > 0`;

/** Limits that neither lose messages nor keep them away are shown by readiness only. */
export const brokerLimits = [
  alertRule({
    name: 'EngawaBrokerLimits',
    expression: limited('shared_subscriptions|wildcard_subscriptions'),
    holdsFor: '2m',
    severity: 'critical',
    labels: { cause: 'silence' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} receives nothing from its broker',
    description:
      'The broker does not support what the configuration needs ({{ $labels.limit }}). /readyz of the pod says which setting to change.',
    dashboard: 'engawa-ingestion',
  }),
  alertRule({
    name: 'EngawaBrokerLimits',
    expression: limited('session_expiry|maximum_qos'),
    holdsFor: '5m',
    severity: 'warning',
    labels: { cause: 'loss' },
    summary: '{{ $labels.release }}: the broker of {{ $labels.pod }} can lose messages',
    description:
      'The broker limits what was configured ({{ $labels.limit }}): a disconnection loses messages that it has acknowledged to publishers. /readyz of the pod says more.',
    dashboard: 'engawa-ingestion',
  }),
];

import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

/** The self test is repeated a minute after each failure, so two failures in five minutes are not a coincidence. */
export const subscriptionSilent = alertRule({
  name: 'EngawaSubscriptionSilent',
  expression: `sum by (namespace, release, component, pod) (
  increase(${series('engawa_mqtt_self_tests_failed_total')}[5m])
) > 1`,
  severity: 'critical',
  summary: '{{ $labels.release }}: the broker delivers nothing to {{ $labels.pod }}',
  description:
    'The broker granted the subscription but does not deliver the pod’s own test messages. Readings may reach the broker and not be delivered.',
  dashboard: 'engawa-ingestion',
});

import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

/** The self test is repeated a minute after each failure, so two failures in five minutes are no accident. */
export const subscriptionSilent = alertRule({
  name: 'EngawaSubscriptionSilent',
  expression: `sum by (namespace, release, component, pod) (
  increase(${series('engawa_mqtt_self_tests_failed_total')}[5m])
) > 1`,
  severity: 'critical',
  summary: '{{ $labels.release }}: {{ $labels.pod }} subscribes and the broker delivers nothing',
  description:
    'Messages that it sends to itself do not come back, though the broker granted the subscription. Readings may be reaching the broker without being delivered.',
  dashboard: 'engawa-ingestion',
});

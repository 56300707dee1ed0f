import { series } from '../../series.ts';
import { alertRule } from '../rule.ts';

/** A process whose successor starts before it ends is taken over once, so a rollout stays below the limit. */
const maxTakeovers = 2;

export const clientIdShared = alertRule({
  name: 'EngawaClientIdShared',
  expression: `sum by (namespace, release, component, pod) (
  increase(${series('engawa_mqtt_takeovers_total')}[15m])
) > ${maxTakeovers}`,
  severity: 'warning',
  summary: '{{ $labels.release }}: another client uses the MQTT_CLIENT_ID of {{ $labels.pod }}',
  description:
    'Another client has ended {{ $value | printf "%.0f" }} connections of the pod in the last 15 minutes by connecting with the same client identifier. No message is lost, but messages are delayed and delivered repeatedly.',
  dashboard: 'engawa-ingestion',
});

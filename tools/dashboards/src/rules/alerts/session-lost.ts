import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

export const sessionLost = alertRule({
  name: 'EngawaSessionLost',
  expression: `sum by (namespace, release, component, pod) (
  increase(${series('engawa_mqtt_sessions_lost_total')}[15m])
) > 0`,
  severity: 'warning',
  summary: '{{ $labels.release }}: the broker has lost the session of {{ $labels.pod }}',
  description:
    'The session was lost in the last 15 minutes. Messages that the broker had acknowledged to publishers and queued for this pod are lost, and the broker will not deliver them.',
  dashboard: 'engawa-ingestion',
});

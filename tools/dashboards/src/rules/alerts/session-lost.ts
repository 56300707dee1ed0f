import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

export const sessionLost = alertRule({
  name: 'EngawaSessionLost',
  expression: `sum by (namespace, release, component, pod) (
  increase(${series('engawa_mqtt_sessions_lost_total')}[15m])
) > 0`,
  severity: 'warning',
  summary: '{{ $labels.release }}: the broker has forgotten the session of {{ $labels.pod }}',
  description:
    'What the broker had queued for it is gone, though its publishers were told that it is taken. It happened in the last 15 minutes, and does not come back by itself.',
  dashboard: 'engawa-ingestion',
});

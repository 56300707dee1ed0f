import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

/**
 * After some restarts Kubernetes waits for five minutes before each, so a crash loop restarts five
 * times in half an hour.
 */
const minRestarts = 3;

export const crashLooping = alertRule({
  name: 'EngawaCrashLooping',
  // A replaced pod has another address, so its series is another: only a container that restarts in
  // its pod changes one.
  expression: `sum by (namespace, release, component, pod) (
  changes(${series('process_start_time_seconds', 'component!=""')}[30m])
) >= ${minRestarts}`,
  severity: 'warning',
  summary: '{{ $labels.release }}: {{ $labels.pod }} is crash-looping',
  description: 'Its process has restarted {{ $value }} times within 30 minutes.',
  dashboard: 'engawa-overview',
});

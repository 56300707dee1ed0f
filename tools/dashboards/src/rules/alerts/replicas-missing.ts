import { alertRule } from '../rule.ts';
import { wantedReplicas } from '../wanted.ts';
import { series } from '../../series.ts';

const wanted = series(wantedReplicas);

export const replicasMissing = alertRule({
  name: 'EngawaReplicasMissing',
  expression: `${wanted} - (
  count by (namespace, release, component) (${series('engawa_ready')} == 1)
  or 0 * ${wanted}
) > 0`,
  // A rollout replaces ingestion's replicas one after the other; each is down for a minute at most.
  holdsFor: '15m',
  severity: 'warning',
  summary: '{{ $labels.release }}: {{ $labels.component }} has too few replicas',
  description:
    '{{ $value }} replicas have not been ready for 15 minutes. They may never have started: not scheduled, or the image was not pulled.',
  dashboard: 'engawa-overview',
});

import { timeseries } from '../panels.ts';
import { rate } from '../series.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

export function expiredEntities(): Panel {
  return timeseries({
    title: 'Expired entities deleted',
    description:
      'Entities that each replica of catalog has deleted in the background because they had expired. Good: as many as expire. 0 if no type has `expires`.',
    unit: 'ops',
    queries: [
      { expr: `sum by (pod) (${rate('engawa_expired_entities_total')})`, legend: '{{pod}}' },
    ],
    width: 24,
  });
}

import { buildDashboard } from '../build-dashboard.ts';
import { releaseVariables, runbooksVariable } from '../variables.ts';
import { processes, search } from './overview-processes.ts';
import { messages, requests, wellBeing } from './overview-service.ts';
import { timeseries } from '../panels.ts';
import { rate, series } from '../series.ts';
import type { NamedDashboard, PanelRow } from '../build-dashboard.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

/** @param more rows at its end */
export function overview(more: readonly PanelRow[]): NamedDashboard {
  return buildDashboard({
    name: 'overview',
    title: 'overview',
    purpose:
      'The first dashboard to open: health, firing alerts, and the rate, errors and durations of every service. Links lead to the dashboards with the causes.',
    variables: [...releaseVariables(), runbooksVariable()],
    rows: [
      { title: 'Health', panels: wellBeing() },
      { title: 'Requests, errors and durations', panels: requests() },
      { title: 'Messages', panels: messages() },
      { title: 'Resources', panels: processes() },
      { title: 'Full-text search', panels: [...search(), ...searchLimits()] },
      { title: 'Catalog', panels: [expiredEntities()] },
      ...more,
    ],
  });
}

function expiredEntities(): Panel {
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

/** How near the full-text index of each replica is to its limits. */
function searchLimits(): Panel[] {
  return [
    timeseries({
      title: 'Search index on disk',
      description:
        'Bytes of the full-text index of each replica of catalog. Good: well below FULL_TEXT_MAX_BYTES (512 MiB unless set otherwise); at the limit the index is deleted and searches are answered with 503. 0 with OpenSearch.',
      unit: 'bytes',
      queries: [{ expr: series('engawa_full_text_bytes'), legend: '{{pod}}' }],
      width: 12,
    }),
    timeseries({
      title: 'Search timeouts',
      description:
        'Full-text searches that reached FULL_TEXT_TIMEOUT_MS and were answered with 503. Good: 0. More: very many texts for one replica, or too little CPU.',
      unit: 'reqps',
      queries: [
        { expr: `sum by (pod) (${rate('engawa_full_text_timeouts_total')})`, legend: '{{pod}}' },
      ],
      width: 12,
    }),
  ];
}

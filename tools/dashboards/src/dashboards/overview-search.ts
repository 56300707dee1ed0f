import { timeseries } from '../panels.ts';
import { rate, series } from '../series.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

/** How near the full-text index of each replica is to its limits. */
export function searchLimits(): Panel[] {
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

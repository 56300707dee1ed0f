import { timeseries } from '../panels.ts';
import { rateBy, series } from '../series.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

const ofPods = 'pod=~"$pod"';

/** GET /v1/live: readings that are sent to listeners as they are stored. */
export function liveFeed(): Panel[] {
  return [
    timeseries({
      title: 'Listeners',
      description:
        'Open connections to GET /v1/live, by replica, and rejected requests of the last minutes. At MAX_LIVE_LISTENERS further clients are rejected: add replicas, or look for clients that open a connection for each device.',
      unit: 'short',
      queries: [
        {
          expr: `sum by (pod) (${series('engawa_ingest_live_listeners', ofPods)})`,
          legend: '{{pod}}',
        },
        {
          expr: `sum by (pod) (increase(${series('engawa_ingest_live_rejected_listeners_total', ofPods)}[$__rate_interval]))`,
          legend: '{{pod}} rejected',
        },
      ],
    }),
    timeseries({
      title: 'Live readings',
      description:
        'Readings a second that are sent to listeners, and that listeners lost because they read too slowly. Each is counted once for each listener. Good: none is lost; a filter by device, room or place reduces what a listener receives.',
      unit: 'suffix:readings/s',
      queries: [
        { expr: rateBy('', 'engawa_ingest_live_events_total', ofPods), legend: 'sent' },
        { expr: rateBy('', 'engawa_ingest_live_lost_events_total', ofPods), legend: 'lost' },
      ],
    }),
    timeseries({
      title: 'Memory of the live feed',
      description:
        'Bytes in memory for the live feed, by replica: recent events, at most 8 MiB, and unsent bytes of slow connections.',
      unit: 'bytes',
      queries: [
        {
          expr: `sum by (pod) (${series('engawa_ingest_live_buffered_bytes', ofPods)})`,
          legend: '{{pod}}',
        },
      ],
    }),
  ];
}

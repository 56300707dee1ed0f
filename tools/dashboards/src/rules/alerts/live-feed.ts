import { series } from '../../series.ts';
import { alertRule } from '../rule.ts';

/** Of a counter without labels, of each replica, in ten minutes: it begins at 0 with its process. */
const growth = (counter: string): string =>
  `sum by (namespace, release, pod) (increase(${series(`engawa_ingest_live_${counter}_total`)}[10m]))`;

const lost = growth('lost_events');

/** A listener that pauses, such as a phone, loses less. */
const maxLostRatio = 0.01;

export const liveFeed = [
  alertRule({
    name: 'EngawaLiveFeed',
    expression: `${growth('rejected_listeners')} > 0`,
    holdsFor: '10m',
    severity: 'warning',
    labels: { cause: 'full' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} rejects live listeners',
    description:
      '{{ $value | printf "%.0f" }} requests for GET /v1/live were rejected in the last 10 minutes: the pod has MAX_LIVE_LISTENERS open connections. These clients show no live readings. Stored readings are not affected.',
    dashboard: 'engawa-ingestion',
  }),
  alertRule({
    name: 'EngawaLiveFeed',
    expression: `${lost} / (${lost} + ${growth('events')}) > ${maxLostRatio}`,
    holdsFor: '15m',
    severity: 'warning',
    labels: { cause: 'lost' },
    summary: '{{ $labels.release }}: live listeners of {{ $labels.pod }} lose readings',
    description:
      'Listeners of GET /v1/live have lost {{ $value | humanizePercentage }} of their readings in the last 10 minutes, because they read too slowly. Stored readings are not affected.',
    dashboard: 'engawa-ingestion',
  }),
];

import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const pod = 'namespace, release, component, pod';

export const ingestionStalled = [
  alertRule({
    name: 'EngawaIngestionStalled',
    // A message of a throttled device is kept elsewhere after 5 s, so what is a minute old waits for all of the table.
    expression: `max by (${pod}) (${series('engawa_ingest_oldest_unacknowledged_seconds')}) > 60`,
    holdsFor: '1m',
    severity: 'critical',
    labels: { cause: 'unacknowledged' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} cannot store what it has received',
    description:
      'Its oldest message has waited for {{ $value | humanizeDuration }}. Nothing is lost; the broker queues what comes behind it until its queue is full.',
    dashboard: 'engawa-ingestion',
  }),
  alertRule({
    name: 'EngawaIngestionStalled',
    expression: `max by (${pod}) (${series('engawa_mqtt_connected')}) == 0`,
    holdsFor: '2m',
    severity: 'critical',
    labels: { cause: 'disconnected' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} has no connection to the broker',
    description:
      'It has been away for at least two minutes. /readyz of the pod says why; the broker queues for its session until the queue is full or the session expires.',
    dashboard: 'engawa-ingestion',
  }),
];

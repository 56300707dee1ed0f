import { alertRule } from '../rule.ts';
import { series } from '../../series.ts';

const pod = 'namespace, release, component, pod';

export const ingestionStalled = [
  alertRule({
    name: 'EngawaIngestionStalled',
    // Readings of a throttled device are parked after 250 ms, so a message that is a minute old
    // waits for the whole table.
    expression: `max by (${pod}) (${series('engawa_ingest_oldest_unacknowledged_seconds')}) > 60`,
    holdsFor: '1m',
    severity: 'critical',
    labels: { cause: 'unacknowledged' },
    summary: '{{ $labels.release }}: {{ $labels.pod }} cannot store received messages',
    description:
      'Its oldest message has waited for {{ $value | humanizeDuration }}. No message is lost while the broker has room in its queue.',
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
      'The pod has been disconnected for at least two minutes; its /readyz says why. The broker queues messages until its queue is full or the session expires.',
    dashboard: 'engawa-ingestion',
  }),
];

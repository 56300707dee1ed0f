import { series } from '../../series.ts';
import type { RecordingRule } from '../rule.ts';

/** Names that alerts and dashboards share with the rules. */
export const unaccountedMessages = 'pod:engawa_ingest_unaccounted_messages:difference';

/** Counts of messages by state, and the number of unaccounted messages. */
export const ingestionRules: RecordingRule[] = [
  {
    record: 'release:engawa_ingest_received_messages:rate5m',
    expr: `sum by (namespace, release) (rate(${series('engawa_ingest_received_messages_total')}[5m]))`,
  },
  {
    record: 'release_outcome:engawa_ingest_messages:rate5m',
    expr: `sum by (namespace, release, outcome) (rate(${series('engawa_ingest_messages_total')}[5m]))`,
  },
  {
    record: 'release:engawa_ingest_unacknowledged_messages:sum',
    expr: `sum by (namespace, release) (${series('engawa_ingest_unacknowledged_messages')})`,
  },
  {
    record: 'release_kind:engawa_ingest_readings:rate5m',
    expr: `sum by (namespace, release, kind) (rate(${series('engawa_ingest_readings_total')}[5m]))`,
  },
  { record: unaccountedMessages, expr: unaccounted() },
];

/**
 * Received messages, minus completed messages, minus messages in flight: 0 at every scrape, since
 * one scrape reads all three at the same time. By instance, because a replaced pod may appear twice
 * for a while. An outcome without messages has no series.
 */
function unaccounted(): string {
  const processOf = 'namespace, release, component, pod, instance';
  const received = `sum by (${processOf}) (${series('engawa_ingest_received_messages_total')})`;
  const done = `sum by (${processOf}) (${series('engawa_ingest_messages_total')})`;
  const inFlight = `sum by (${processOf}) (${series('engawa_ingest_unacknowledged_messages')})`;
  return `${received}
- (${done} or 0 * ${received})
- ${inFlight}`;
}

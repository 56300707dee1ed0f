import { series } from '../../series.ts';
import { alertRule } from '../rule.ts';

/** A hot device gets more shards within half a minute and has caught up some minutes later. */
const longSeconds = 900;

export const parkedBlocks = [
  alertRule({
    name: 'EngawaParkedBlocks',
    // Every replica sees the blocks of all; one that has just ended says nothing any more.
    expression: `max by (namespace, release) (${series('engawa_ingest_oldest_parked_seconds')}) > ${longSeconds}`,
    holdsFor: '2m',
    severity: 'warning',
    summary: '{{ $labels.release }}: readings of throttled devices have been parked for 15 minutes',
    description:
      'The oldest parked block has waited for its device’s throttled partition key for {{ $value | printf "%.0f" }} s. Parked readings are durable and acknowledged, but the query service does not return them yet.',
    dashboard: 'engawa-ingestion',
  }),
];

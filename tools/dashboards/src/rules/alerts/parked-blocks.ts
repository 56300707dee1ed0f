import { series } from '../../series.ts';
import { alertRule } from '../rule.ts';

/** A hot device gets more shards within half a minute and catches up some minutes later. */
const longSeconds = 900;

export const parkedBlocks = [
  alertRule({
    name: 'EngawaParkedBlocks',
    // Every replica reports the blocks of all replicas, so a replica that ends takes no information with it.
    expression: `max by (namespace, release) (${series('engawa_ingest_oldest_parked_seconds')}) > ${longSeconds}`,
    holdsFor: '2m',
    severity: 'warning',
    summary: '{{ $labels.release }}: readings of throttled devices have been parked for 15 minutes',
    description:
      'The oldest parked block has waited for its device’s throttled partition key for {{ $value | printf "%.0f" }} s. Parked readings are durable and acknowledged, but the query service does not return them yet.',
    dashboard: 'engawa-ingestion',
  }),
];

import { buildDashboard } from '../build-dashboard.ts';
import { podVariable, releaseVariables } from '../variables.ts';
import { connection } from './ingestion-connection-panels.ts';
import { liveFeed } from './ingestion-live-panels.ts';
import { arrival, loss, storing } from './ingestion-panels.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export function ingestion(): NamedDashboard {
  return buildDashboard({
    name: 'ingestion',
    title: 'ingestion',
    purpose:
      'Messages from devices, the time until they are durable, and messages that were not stored. Open it when readings are late or missing.',
    variables: [...releaseVariables(), podVariable('component="ingestion"')],
    rows: [
      { title: 'Throughput', panels: arrival() },
      { title: 'Messages in flight and latency', panels: storing() },
      { title: 'Unrecognized messages, dead letters and parked blocks', panels: loss() },
      { title: 'Broker connection', panels: connection() },
      { title: 'Live feed', panels: liveFeed() },
    ],
  });
}

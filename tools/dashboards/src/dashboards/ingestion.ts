import { buildDashboard } from '../build-dashboard.ts';
import { podVariable, releaseVariables } from '../variables.ts';
import { connection } from './ingestion-connection-panels.ts';
import { arrival, loss, storing } from './ingestion-panels.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export function ingestion(): NamedDashboard {
  return buildDashboard({
    name: 'ingestion',
    title: 'ingestion',
    purpose:
      'What devices send, how fast it becomes durable, and what does not: look here when readings are late or missing.',
    variables: [...releaseVariables(), podVariable('component="ingestion"')],
    rows: [
      { title: 'What comes in?', panels: arrival() },
      { title: 'Is it durable in time?', panels: storing() },
      { title: 'What is not stored?', panels: loss() },
      { title: 'Is the broker there?', panels: connection() },
    ],
  });
}

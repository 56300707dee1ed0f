import { buildDashboard } from '../build-dashboard.ts';
import { podVariable, queryApiVariable, releaseVariables } from '../variables.ts';
import { hottest, relief, throttling } from './hot-partitions-panels.ts';
import { whatToDo } from './hot-partitions-advice.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export function hotPartitions(): NamedDashboard {
  return buildDashboard({
    name: 'hot-partitions',
    title: 'hot partitions',
    purpose:
      'Which keys of the table take the most, which are throttled and why, and whether spreading them helps.',
    variables: [...releaseVariables(), podVariable(), queryApiVariable()],
    rows: [
      { title: 'Hot keys', panels: hottest() },
      { title: 'Throttling', panels: throttling() },
      { title: 'Mitigation', panels: relief() },
      { title: 'What to do', panels: whatToDo() },
    ],
  });
}

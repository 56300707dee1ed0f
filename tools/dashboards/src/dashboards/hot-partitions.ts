import { buildDashboard } from '../build-dashboard.ts';
import { podVariable, releaseVariables } from '../variables.ts';
import { hottest, relief, throttling } from './hot-partitions-panels.ts';
import { whatToDo } from './hot-partitions-advice.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export function hotPartitions(): NamedDashboard {
  return buildDashboard({
    name: 'hot-partitions',
    title: 'hot partitions',
    purpose:
      'Which keys of the table take the most, which are throttled and why, and whether spreading them helps.',
    variables: [...releaseVariables(), podVariable()],
    rows: [
      { title: 'Which keys are hot?', panels: hottest() },
      { title: 'What is throttled, and why?', panels: throttling() },
      { title: 'Is it being relieved?', panels: relief() },
      { title: 'What to do?', panels: whatToDo() },
    ],
  });
}

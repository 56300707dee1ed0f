import { buildDashboard } from '../build-dashboard.ts';
import { podVariable, queryApiVariable, releaseVariables } from '../variables.ts';
import { hottest, mitigation, throttling } from './hot-partitions-panels.ts';
import { whatToDo } from './hot-partitions-advice.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export function hotPartitions(): NamedDashboard {
  return buildDashboard({
    name: 'hot-partitions',
    title: 'hot partitions',
    purpose:
      'The hottest partition keys of the table, throttled keys with the reason, and the effect of more shards.',
    variables: [...releaseVariables(), podVariable(), queryApiVariable()],
    rows: [
      { title: 'Hot keys', panels: hottest() },
      { title: 'Throttling', panels: throttling() },
      { title: 'Mitigation', panels: mitigation() },
      { title: 'Actions', panels: whatToDo() },
    ],
  });
}

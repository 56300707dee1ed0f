import { buildDashboard } from '../build-dashboard.ts';
import { releaseVariables } from '../variables.ts';
import { processes, search } from './overview-processes.ts';
import { messages, requests, wellBeing } from './overview-service.ts';
import type { NamedDashboard } from '../build-dashboard.ts';

export function overview(): NamedDashboard {
  return buildDashboard({
    name: 'overview',
    title: 'overview',
    purpose:
      'Is it well? Look here first: what is wrong shows in the first two rows, and the links lead on to why.',
    variables: releaseVariables(),
    rows: [
      { title: 'Is it well?', panels: wellBeing() },
      { title: 'Are requests answered?', panels: requests() },
      { title: 'Do messages become stored readings?', panels: messages() },
      { title: 'Have the processes what they need?', panels: processes() },
      { title: 'Does the catalogue’s search know what has changed?', panels: search() },
    ],
  });
}

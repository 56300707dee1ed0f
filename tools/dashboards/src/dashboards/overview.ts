import { buildDashboard } from '../build-dashboard.ts';
import { releaseVariables, runbooksVariable } from '../variables.ts';
import { processes, search } from './overview-processes.ts';
import { expiredEntities } from './overview-catalog.ts';
import { searchLimits } from './overview-search.ts';
import { messages, requests, wellBeing } from './overview-service.ts';
import type { NamedDashboard, PanelRow } from '../build-dashboard.ts';

/** @param more rows at its end */
export function overview(more: readonly PanelRow[]): NamedDashboard {
  return buildDashboard({
    name: 'overview',
    title: 'overview',
    purpose:
      'The first dashboard to open: health, firing alerts, and the rate, errors and durations of every service. Links lead to the dashboards with the causes.',
    variables: [...releaseVariables(), runbooksVariable()],
    rows: [
      { title: 'Health', panels: wellBeing() },
      { title: 'Requests, errors and durations', panels: requests() },
      { title: 'Messages', panels: messages() },
      { title: 'Resources', panels: processes() },
      { title: 'Full-text search', panels: [...search(), ...searchLimits()] },
      { title: 'Catalog', panels: [expiredEntities()] },
      ...more,
    ],
  });
}

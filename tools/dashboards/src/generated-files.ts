import { dashboards } from './dashboards/index.ts';
import { dashboardsPage } from './dashboards-page.ts';
import { ruleFile } from './rules/index.ts';
import type { NamedDashboard } from './build-dashboard.ts';

/** All generated files, by their path from the root of the workspace. */
export function generatedFiles(): Map<string, string> {
  const all = dashboards();
  return new Map([
    ...all.map((dashboard): [string, string] => [
      `charts/engawa/dashboards/${dashboard.name}.json`,
      jsonOf(dashboard),
    ]),
    ['charts/engawa/rules/engawa.yaml', ruleFile()],
    ['docs/dashboards.md', dashboardsPage(all)],
  ]);
}

/** The JSON for Grafana; reproducible. */
function jsonOf({ model }: NamedDashboard): string {
  return `${JSON.stringify(model, undefined, 2)}\n`;
}

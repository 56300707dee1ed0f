import { parse, stringify } from 'yaml';
import { withUsualObjective } from '../rules/objective.ts';
import { wantedComponents, wantedReplicas } from '../rules/wanted.ts';
import { components, namespace, release } from './live-stack.ts';

/** The rules that the chart installs in a cluster, but evaluated at each scrape. */
export function rulesFor(file: string, every: string): string {
  const { groups } = parse(file) as { groups: object[] };
  const all = stringify({ groups: [wantedRules(), ...groups] }, { lineWidth: 0 });
  return withUsualObjective(all)
    .replaceAll('$namespace', namespace)
    .replaceAll('$release', release)
    .replaceAll('$runbooks', 'https://example.com/runbooks')
    .replaceAll(/^(\s+interval:) \S+$/gm, `$1 ${every}`);
}

/**
 * The chart's group `engawa-wanted` (charts/engawa/templates/monitoring.yaml): each component is
 * enabled, with one replica.
 */
function wantedRules(): object {
  const rules = [wantedComponents, wantedReplicas].flatMap((record) =>
    components.map((component) => ({
      record,
      expr: 'vector(1)',
      labels: { namespace, release, component },
    })),
  );
  return { name: 'engawa-wanted', interval: '15s', rules };
}

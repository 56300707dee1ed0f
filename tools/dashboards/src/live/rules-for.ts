import { withUsualObjective } from '../rules/objective.ts';
import { namespace, release } from './live-stack.ts';

/** The rules as the chart puts them into a cluster, but evaluated as often as is scraped here. */
export function rulesFor(file: string, every: string): string {
  return withUsualObjective(file)
    .replaceAll('$namespace', namespace)
    .replaceAll('$release', release)
    .replaceAll('$runbooks', 'https://example.com/runbooks')
    .replaceAll(/^(\s+interval:) \S+$/gm, `$1 ${every}`);
}

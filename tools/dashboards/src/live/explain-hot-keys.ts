import { dashboards } from '../dashboards/index.ts';
import { askInfinity } from './ask-infinity.ts';
import { readModel } from './dashboard-model.ts';
import type { SelectedRow } from './json-selection.ts';
import type { LiveStack } from './live-stack.ts';
import type { TargetModel } from './dashboard-model.ts';

/** The query of the panel “Hot keys, explained”. */
function explanationQuery(): TargetModel {
  const panels = dashboards().flatMap(({ model }) => readModel(model).panels);
  const [target] = panels.find(({ title }) => title === 'Hot keys, explained')?.targets ?? [];
  if (target === undefined) throw new Error('there is no panel that explains hot keys');
  return target;
}

/** The rows of that panel now. */
export function explainHotKeys({ urls }: LiveStack): Promise<SelectedRow[]> {
  return askInfinity(explanationQuery(), { baseUrl: urls.query, fill: (text) => text });
}

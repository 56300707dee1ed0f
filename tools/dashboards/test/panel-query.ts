import { dashboards } from '../src/dashboards/index.ts';
import { readModel } from '../src/live/dashboard-model.ts';
import { rulesOfRelease } from './rules/promtool.ts';
import type { DashboardModel } from '../src/live/dashboard-model.ts';

/** Values of a dashboard's variables, which begin with `$` in a query. */
type Variables = Readonly<Record<string, string>>;

const everywhere: Variables = { __rate_interval: '1m', __range: '10m', pod: '.*' };

/** A dashboard as Grafana reads it. */
export function modelOf(name: string): DashboardModel {
  const found = dashboards().find((dashboard) => dashboard.name === name);
  if (!found) throw new Error(`there is no dashboard ${name}`);
  return readModel(found.model);
}

/** A panel's query, filled in with the default values. */
export function queryOf(name: string, panel: string, refId = 'A'): string {
  const { panels, templating } = modelOf(name);
  const target = panels
    .find(({ title }) => title === panel)
    ?.targets?.find((one) => one.refId === refId);
  if (target?.expr === undefined) throw new Error(`there is no query ${refId} of ${panel}`);
  const typed = templating.list
    .filter(({ type }) => type === 'textbox')
    .map(({ name: its, current }) => [its, String(current?.value)]);
  const variables = { ...everywhere, ...(Object.fromEntries(typed) as Variables) };
  // The longest first: some names begin with others.
  const names = Object.keys(variables).sort((one, other) => other.length - one.length);
  return rulesOfRelease(
    names.reduce((query, its) => query.replaceAll(`$${its}`, variables[its] ?? ''), target.expr),
  );
}

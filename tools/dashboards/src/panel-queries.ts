import type { Panel, RowPanel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { NamedDashboard } from './build-dashboard.ts';

interface OfPanel {
  /** The name of its file. */
  dashboard: string;
  panel: string;
  /** Grafana's name of the unit; empty where each column has its own. */
  unit: string;
}

/** A query of a panel, with unfilled variables. */
export type PanelQuery =
  | (OfPanel & { kind: 'prometheus'; expr: string; legend: string; instant: boolean })
  | (OfPanel & {
      kind: 'http';
      /** The path, with its parameters. */
      url: string;
      /** The JSONata expression that makes rows of the answer. */
      selector: string;
    });

/** The properties of a target, of either data source. */
interface Target {
  expr?: string;
  legendFormat?: string;
  instant?: boolean;
  url?: string;
  url_options?: { params?: { key: string; value: string }[] };
  root_selector?: string;
}

/** Every query of every panel. */
export function panelQueries(dashboards: readonly NamedDashboard[]): PanelQuery[] {
  return dashboards.flatMap(({ name, model }) =>
    panelsOf(model.panels ?? []).flatMap((panel) => queriesOf(name, panel)),
  );
}

/** The panels without the titles of their rows. */
export function panelsOf(panels: readonly (Panel | RowPanel)[]): Panel[] {
  return panels.filter((panel): panel is Panel => panel.type !== 'row');
}

function queriesOf(dashboard: string, { title = '', fieldConfig, targets = [] }: Panel) {
  const panel = { dashboard, panel: title, unit: fieldConfig?.defaults.unit ?? '' };
  return (targets as Target[]).map((target): PanelQuery => {
    const { expr, legendFormat = '', instant = false, url = '' } = target;
    if (expr !== undefined) {
      return { ...panel, kind: 'prometheus', expr, legend: legendFormat, instant };
    }
    const parameters = (target.url_options?.params ?? []).map(
      ({ key, value }) => `${key}=${value}`,
    );
    return {
      ...panel,
      kind: 'http',
      url: `${url}?${parameters.join('&')}`,
      selector: target.root_selector ?? '',
    };
  });
}

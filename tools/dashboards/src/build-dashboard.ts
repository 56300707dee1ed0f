/* eslint-disable @typescript-eslint/no-deprecated -- the model that replaces this one is for Grafana 12 alone */
import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { Dashboard, Panel, VariableModel } from '@grafana/grafana-foundation-sdk/dashboard';

/** A titled row of panels; they flow from left to right, then into the next line. */
export interface PanelRow {
  title: string;
  panels: Panel[];
}

export interface DashboardOptions {
  /** The name of its file and picture; its uid is `engawa-<name>`. */
  name: string;
  title: string;
  /** When to open it. */
  purpose: string;
  variables: VariableModel[];
  rows: PanelRow[];
  /** Start of the default time range, in Grafana's notation. */
  from?: string;
}

/** A dashboard with its metadata. */
export interface NamedDashboard {
  name: string;
  uid: string;
  title: string;
  purpose: string;
  model: Dashboard;
}

/** The schema of Grafana 11; newer versions migrate it, and the builders' output is equal in it. */
const schemaVersion = 39;

/** Grafana's grid. */
const columns = 24;

export function buildDashboard(options: DashboardOptions): NamedDashboard {
  const { name, title, purpose, variables, rows, from = 'now-1h' } = options;
  const uid = `engawa-${name}`;
  const builder = new DashboardBuilder(`Engawa: ${title}`)
    .uid(uid)
    .description(purpose)
    .tags(['engawa'])
    .timezone('browser')
    .refresh('30s')
    .time({ from, to: 'now' })
    .tooltip(DashboardCursorSync.Crosshair)
    .variables(variables.map((variable) => ({ build: () => variable })))
    .annotations([])
    .links([otherDashboards]);
  addRows(builder, rows);
  return { name, uid, title, purpose, model: { ...builder.build(), schemaVersion } };
}

/** Links to the other dashboards, with the same variables and time range. */
const otherDashboards = {
  build: () => {
    const link = new DashboardLinkBuilder('Engawa')
      .type(DashboardLinkType.Dashboards)
      .icon('dashboard')
      .tags(['engawa'])
      .includeVars(true)
      .keepTime(true)
      .build();
    // The builder's placement would hide the link in a menu.
    delete link.placement;
    return link;
  },
};

/** Ids are positions, so that the output is reproducible. */
function addRows(builder: DashboardBuilder, rows: readonly PanelRow[]): void {
  let id = 0;
  let top = 0;
  for (const { title, panels } of rows) {
    builder.withRow(
      new RowBuilder(title).id(++id).gridPos({ x: 0, y: top, w: columns, h: 1 }).collapsed(false),
    );
    top += 1;
    let [left, height] = [0, 0];
    for (const panel of panels) {
      const { w = 0, h = 0 } = panel.gridPos ?? {};
      if (left + w > columns) [left, top, height] = [0, top + height, 0];
      const placed = { ...panel, id: ++id, gridPos: { x: left, y: top, w, h } };
      builder.withPanel({ build: () => placed });
      left += w;
      height = Math.max(height, h);
    }
    top += height;
  }
}

/* eslint-disable @typescript-eslint/no-deprecated -- the model that replaces this one is for Grafana 12 alone */
import {
  DashboardBuilder,
  DashboardCursorSync,
  DashboardLinkBuilder,
  DashboardLinkType,
  RowBuilder,
} from '@grafana/grafana-foundation-sdk/dashboard';
import type { Dashboard, Panel, VariableModel } from '@grafana/grafana-foundation-sdk/dashboard';

/** Panels under a title that is a question; they flow from left to right, and on in the next line. */
export interface Row {
  title: string;
  panels: Panel[];
}

export interface DashboardOptions {
  /** Of its file and its picture; with `engawa-` before it, its uid. */
  name: string;
  title: string;
  /** When to look at it. */
  purpose: string;
  variables: VariableModel[];
  rows: Row[];
  /** How far back is shown at first, as Grafana has it. */
  from?: string;
}

/** A dashboard, and what else is to be known of it. */
export interface NamedDashboard {
  name: string;
  uid: string;
  title: string;
  purpose: string;
  model: Dashboard;
}

/** That of Grafana 11; what is newer brings it up to its own, and what the builders make is the same in it. */
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

/** The others, with the release and the time that are looked at. */
const otherDashboards = {
  build: () => {
    const link = new DashboardLinkBuilder('Engawa')
      .type(DashboardLinkType.Dashboards)
      .icon('dashboard')
      .tags(['engawa'])
      .includeVars(true)
      .keepTime(true)
      .build();
    // What the builder sets hides it in a menu.
    delete link.placement;
    return link;
  },
};

/** Ids are places in the order, so that the same dashboard is the same text each time. */
function addRows(builder: DashboardBuilder, rows: readonly Row[]): void {
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

import { dashboards } from '../src/dashboards/index.ts';
import { panelsOf } from '../src/panel-queries.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { NamedDashboard } from '../src/build-dashboard.ts';

const each = dashboards().map((dashboard): [string, NamedDashboard] => [dashboard.name, dashboard]);
const eachPanel = dashboards().flatMap(({ name, model }) =>
  panelsOf(model.panels ?? []).map((panel): [string, Panel] => [
    `${name}: ${panel.title ?? ''}`,
    panel,
  ]),
);

/** The occupied cells of Grafana's grid, with duplicates for overlaps. */
function cellsOf({ model }: NamedDashboard): string[] {
  return (model.panels ?? []).flatMap(({ gridPos }) => {
    const { x = -1, y = -1, w = 0, h = 0 } = gridPos ?? {};
    return Array.from(
      { length: w * h },
      (_, cell) => `${x + (cell % w)},${y + Math.floor(cell / w)}`,
    );
  });
}

/** Variables used in a text, without Grafana's own. */
function variablesIn(text: string): Set<string> {
  const uses = [...text.matchAll(/\$\{?([a-z]\w*)/gi)].map(([, name = '']) => name);
  // Functions of JSONata look the same; they are followed by a bracket.
  return new Set(uses.filter((name) => !text.includes(`$${name}(`)));
}

it('there are five dashboards with unique names', () => {
  expect(each).toHaveLength(5);
  expect(new Set(dashboards().map(({ uid }) => uid)).size).toBe(5);
  expect(new Set(dashboards().map(({ model }) => model.title)).size).toBe(5);
});

it('dashboards are generated deterministically', () => {
  expect(JSON.stringify(dashboards())).toBe(JSON.stringify(dashboards()));
});

describe.each(each)('%s', (_, dashboard) => {
  const { model, uid } = dashboard;
  const panels = model.panels ?? [];

  it('is as Grafana 11 and 12 import it', () => {
    expect(model).toMatchObject({
      uid,
      schemaVersion: 39,
      timezone: 'browser',
      refresh: '30s',
      tags: ['engawa'],
      time: { to: 'now' },
      annotations: { list: [] },
    });
    expect(uid).toMatch(/^engawa-[a-z-]{1,33}$/);
    expect(model).not.toHaveProperty('id');
    expect(JSON.parse(JSON.stringify(model))).not.toHaveProperty('links.0.placement');
  });

  it('places panels in a grid of 24 without overlaps', () => {
    const cells = cellsOf(dashboard);
    expect(new Set(cells).size).toBe(cells.length);
    expect(
      panels.every(({ gridPos }) => gridPos && gridPos.x >= 0 && gridPos.x + gridPos.w <= 24),
    ).toBe(true);
    expect(cells.length).toBeGreaterThan(24 * 10);
  });

  it('has no holes between its panels', () => {
    const rows = new Set(cellsOf(dashboard).map((cell) => cell.split(',')[1]));
    expect(cellsOf(dashboard)).toHaveLength(24 * rows.size);
  });

  it('has a unique id and title for each panel', () => {
    expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
    expect(new Set(panels.map(({ title }) => title)).size).toBe(panels.length);
  });

  it('declares exactly the variables that it uses', () => {
    const list = model.templating.list ?? [];
    const declared = new Set(list.map(({ name }) => name));
    // The queries of variables, not their names.
    const asked = list.map(({ query, datasource }) => ({ query, datasource }));
    const used = variablesIn(JSON.stringify([panels, asked]));
    expect(used).toEqual(declared);
  });
});

describe.each(eachPanel)('%s', (_, panel) => {
  it('describes its purpose in sentences', () => {
    expect(panel.description).toMatch(/^[A-Z0-9].{30,}[.)]$/);
  });
});

describe.each(eachPanel.filter(([, { type }]) => type !== 'text'))('%s', (_, panel) => {
  it('has a unit', () => {
    expect(panel.fieldConfig?.defaults.unit).toMatch(/^(suffix:)?[\w/]+$/);
  });

  it('references its data source by variable', () => {
    const targets = (panel.targets ?? []) as { refId?: string; datasource?: { uid?: string } }[];
    expect(targets.length).toBeGreaterThan(0);
    expect(new Set(targets.map(({ refId }) => refId)).size).toBe(targets.length);
    for (const { datasource } of [...targets, panel]) {
      expect(datasource?.uid).toMatch(/^\$\{(datasource|queryApi)\}$/);
    }
  });
});

import { panelQueries } from '../src/panel-queries.ts';
import { buildDashboard } from '../src/build-dashboard.ts';
import { otherMetrics } from '../src/dashboards/other-metrics.ts';
import { series } from '../src/series.ts';
import { labelsOf } from '../src/promql/labels-of.ts';
import type { MetricRow } from '@engawa/reference';

function metric(name: string, type: string, labelNames: string[]): MetricRow {
  return { name, type, labelNames, help: `Help of ${name}.`, owner: 'query' };
}

const metrics = [
  metric('engawa_new_total', 'counter', ['outcome']),
  metric('engawa_new_seconds', 'histogram', ['route']),
  metric('engawa_new_bytes', 'gauge', []),
  metric('engawa_shown_total', 'counter', []),
  metric('engawa_shown_seconds', 'histogram', []),
];
const shown = ['engawa_shown_total', 'engawa_shown_seconds_count'].map((name) => series(name));
const known: Readonly<Record<string, string[]>> = {
  engawa_new_total: ['outcome'],
  engawa_new_seconds_bucket: ['route', 'le'],
  engawa_new_bytes: [],
};
const target = ['namespace', 'release', 'component', 'pod'];

const byName = (name: string): ReadonlySet<string> => new Set([...(known[name] ?? []), ...target]);

describe('metrics that no panel and no rule uses', () => {
  const rows = otherMetrics(shown, metrics);
  const options = { name: 'x', title: 'x', purpose: 'x', variables: [], rows };
  const queries = panelQueries([buildDashboard(options)]);

  it('have a panel each, with their help and unit', () => {
    expect(
      rows.map(({ title, panels }) => [title, panels.map((panel) => panel.description)]),
    ).toEqual([['Other metrics', metrics.slice(0, 3).map(({ help }) => help)]]);
    expect(queries.map(({ panel, unit }) => [panel, unit])).toEqual([
      ['engawa_new_total', 'ops'],
      ['engawa_new_seconds', 's'],
      ['engawa_new_bytes', 'bytes'],
    ]);
  });

  it('fill the lines of the grid', () => {
    const widths = rows.flatMap(({ panels }) => panels.map(({ gridPos }) => gridPos?.w));
    expect(widths).toEqual([12, 12, 24]);
  });

  it('keep their labels in the query and in the legend', () => {
    const results = queries.map((query) =>
      query.kind === 'prometheus' ? [query.legend, labelsOf(query.expr, byName)] : [],
    );
    expect(results).toEqual([
      ['{{component}} {{outcome}}', new Set(['component', 'outcome'])],
      ['{{component}} {{route}} p99', new Set(['component', 'route'])],
      ['{{component}} {{pod}}', new Set(target)],
    ]);
  });

  it('have no row if there are none', () => {
    expect(otherMetrics(shown, metrics.slice(3))).toEqual([]);
  });
});

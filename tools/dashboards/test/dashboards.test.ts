import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { metricRows } from '@engawa/reference';
import { dashboards } from '../src/dashboards/index.ts';
import { knownSeries } from '../src/promql/known-series.ts';
import { labelsOf, namesIn } from '../src/promql/labels-of.ts';
import { generatedFiles } from '../src/generated-files.ts';
import { panelQueries } from '../src/panel-queries.ts';
import { alerts, recordingRules } from '../src/rules/index.ts';

const workspace = resolve(__dirname, '../../..');
const byName = knownSeries();
const queries = panelQueries(dashboards()).filter((query) => query.kind === 'prometheus');

describe('the generated files', () => {
  it.each([...generatedFiles()])('%s is up to date (else: npm run dashboards)', (name, content) => {
    expect(readFileSync(resolve(workspace, name), 'utf8')).toBe(content);
  });

  it('are all the dashboards of the chart', () => {
    const files = readdirSync(resolve(workspace, 'charts/engawa/dashboards'));
    const names = dashboards().map(({ name }) => `${name}.json`);
    expect(files.sort()).toEqual(names.sort());
  });

  it('contain every dashboard that an alert names', () => {
    const uids = dashboards().map(({ uid }) => uid);
    const named = new Set(alerts().map(({ annotations }) => annotations.dashboard));
    expect(uids).toEqual(expect.arrayContaining([...named]));
  });

  it('name existing documents', () => {
    const text = dashboards()
      .map(({ model }) => JSON.stringify(model))
      .join('\n');
    const named = new Set([...text.matchAll(/docs\/[\w/-]+(?:\.md)?/g)].map(([file]) => file));
    expect(named.size).toBeGreaterThan(2);
    expect([...named].filter((file) => !existsSync(resolve(workspace, file)))).toEqual([]);
  });
});

describe('the Prometheus queries of panels', () => {
  it.each(queries.map((query) => [`${query.dashboard}: ${query.panel}: ${query.legend}`, query]))(
    'is there, with its labels: %s',
    (_, { expr, legend }) => {
      const labels = labelsOf(expr, byName);
      const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
      expect(named.filter((label) => labels === 'scalar' || !labels.has(label))).toEqual([]);
    },
  );

  it.each(queries.map((query) => [`${query.dashboard}: ${query.panel}`, query.expr]))(
    'is of the release that is chosen alone: %s',
    (_, expr) => {
      const chosen = expr.split('{namespace="$namespace", release="$release"').length - 1;
      expect(chosen).toBeGreaterThan(0);
      expect(chosen).toBe(namesIn(expr).length);
    },
  );

  it('covers every metric, or a rule does', () => {
    const expressions = [...queries, ...alerts(), ...recordingRules()].map(({ expr }) => expr);
    const used = new Set(expressions.flatMap(namesIn));
    const isUsed = (name: string) =>
      ['', '_bucket', '_sum', '_count'].some((suffix) => used.has(name + suffix));
    const unused = metricRows().filter(({ name }) => !isUsed(name));
    expect(unused.map(({ name }) => name)).toEqual([]);
  });
});

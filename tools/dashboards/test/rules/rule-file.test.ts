import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describeWith } from '@engawa/testing';
import { knownSeries } from '../../src/promql/known-series.ts';
import { labelsOf } from '../../src/promql/labels-of.ts';
import { dashboards } from '../../src/dashboards/index.ts';
import { panelQueries } from '../../src/panel-queries.ts';
import { alerts, recordingRules } from '../../src/rules/index.ts';
import { rulesOfRelease, runPromtool } from './promtool.ts';

const runbookFolder = join(__dirname, '../../../../docs/runbooks');
const known = knownSeries();
const names = [...new Set(alerts().map(({ alert }) => alert))];
const expressions = [
  ...recordingRules().map(({ record, expr }) => [record, expr] as const),
  ...alerts().map(
    ({ alert, labels, expr }) => [`${alert} ${JSON.stringify(labels)}`, expr] as const,
  ),
];

describe('the rules', () => {
  it('have no placeholders but namespace, release, runbooks and the objective', () => {
    const left = rulesOfRelease().match(/\$\w+/g) ?? [];
    expect(new Set(left)).toEqual(new Set(['$labels', '$value']));
  });

  it.each(expressions)('query existing metrics, of this release only: %s', (_, expression) => {
    const labels = labelsOf(expression, known);
    for (const label of ['namespace', 'release']) expect(labels).toContain(label);
    const selectors = expression.match(/\w\{[^}]*\}/g) ?? [];
    expect(selectors).not.toEqual([]);
    for (const selector of selectors) {
      expect(selector).toContain('{namespace="$namespace", release="$release"');
    }
  });

  it.each(alerts().map((alert) => [alert.alert, alert] as const))(
    'name in sentences only what the result has: %s',
    (_, { expr, annotations, labels }) => {
      const result = labelsOf(expr, known);
      const { summary, description } = annotations;
      const named = [...(summary + description).matchAll(/\$labels\.(\w+)/g)];
      expect(named).not.toEqual([]);
      for (const [, label] of named) expect(result).toContain(label);
      expect(result).toContain('namespace');
      // A label of the rule's own would hide one of the result.
      for (const label of Object.keys(labels)) expect(result).not.toContain(label);
    },
  );
});

describe('runbooks', () => {
  const sections = [
    ...['What the alert means', 'Impact', 'Diagnose', 'Mitigate', 'Resolve'],
    'When the alert ends',
  ];
  const pages = readdirSync(runbookFolder).filter((name) => name !== 'README.md');

  it('exist for each alert, and for nothing else', () => {
    expect(pages.sort()).toEqual(names.map((name) => `${name}.md`).sort());
  });

  it.each(names)('are listed in the index and give instructions: %s', (name) => {
    const index = readFileSync(join(runbookFolder, 'README.md'), 'utf8');
    expect(index).toContain(`[${name}](${name}.md)`);
    const page = readFileSync(join(runbookFolder, `${name}.md`), 'utf8');
    expect(page).toMatch(new RegExp(`^# ${name}\n`));
    expect([...page.matchAll(/^## (.*)$/gm)].map(([, heading]) => heading)).toEqual(sections);
    const panels = panelQueries(dashboards()).map(({ panel }) => panel);
    const named = [...page.matchAll(/panel\s+“([^”]+)”/g)].map(([, panel]) =>
      panel?.replace('\n', ' '),
    );
    expect(named).not.toEqual([]);
    expect(panels).toEqual(expect.arrayContaining(named));
    for (const { labels } of alerts().filter(({ alert }) => alert === name)) {
      expect(page).toContain(`**${labels.severity}**`);
    }
  });
});

describeWith(['promtool'], 'promtool', () => {
  it('has nothing against them', () => {
    const count = recordingRules().length + alerts().length;
    expect(runPromtool(['check', 'rules', 'rules.yaml'])).toContain(
      `SUCCESS: ${count} rules found`,
    );
  });

  it.each(runbookQueries())('takes the queries of runbooks: %s', (_, query) => {
    expect(
      runPromtool(['check', 'rules', 'query.yaml'], { 'query.yaml': asRule(query) }),
    ).toContain('SUCCESS');
    expect(() => labelsOf(query, known)).not.toThrow();
  });
});

/** Blocks marked `promql`: a query each, with `$namespace` and `$release` for the reader to put in. */
function runbookQueries(): [page: string, query: string][] {
  return readdirSync(runbookFolder).flatMap((page) => {
    const text = readFileSync(join(runbookFolder, page), 'utf8');
    return [...text.matchAll(/^ *```promql\n([^]*?)^ *```/gm)].map(
      ([, query = '']): [string, string] => [page, query.trim()],
    );
  });
}

function asRule(query: string): string {
  const rule = { record: 'a:runbook:query', expr: query };
  return JSON.stringify({ groups: [{ name: 'runbook', rules: [rule] }] });
}

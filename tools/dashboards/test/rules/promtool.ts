import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { withUsualObjective } from '../../src/rules/objective.ts';
import { rulesFor } from './rules-for.ts';
import { ruleFile, ruleGroups } from '../../src/rules/index.ts';

export type Labels = Readonly<Record<string, string>>;

/** The release in place of the placeholders. */
const release: Labels = { namespace: 'homes', release: 'blue' };

export const runbooks = 'https://runbooks.example.com';

/** The rules as the chart installs them. */
export function rulesOfRelease(rules = ruleFile()): string {
  return withUsualObjective(rules)
    .replaceAll('$namespace', release['namespace'] ?? '')
    .replaceAll('$release', release['release'] ?? '')
    .replaceAll('$runbooks', runbooks);
}

/** Alerts that fire at a time, with all labels but those of the release. */
interface Firing {
  at: string;
  alert: string;
  with: readonly Labels[];
}

/** The expected result of an expression; a single value needs no labels. */
interface Value {
  at: string;
  expression: string;
  is: number | readonly { labels: string; value: number }[];
}

interface Annotated {
  at: string;
  alert: string;
  labels: Labels;
  annotations: Labels;
}

export interface Scenario {
  /** Interval of samples and evaluations; 15 s as in production, longer where that would take too long. */
  every?: string;
  /** Interval of samples, if it differs from that of the evaluations. */
  sampledEvery?: string;
  /** Values by series, in promtool's notation: `0+3x10`, `_`, `stale`. */
  series: Readonly<Record<string, string>>;
  firing?: readonly Firing[];
  values?: readonly Value[];
  annotated?: readonly Annotated[];
}

/** A series of the release. @param labels `pod: 'p'`; to be of another release, give `release` */
export function of(metric: string, labels: Labels = {}): string {
  return metric + inBraces({ ...release, ...labels });
}

/** @throws Error with the output of promtool */
export function play(scenario: Scenario): void {
  const { every = '15s', sampledEvery = every, series } = scenario;
  const test = {
    interval: sampledEvery,
    input_series: Object.entries(series).map(([name, values]) => ({ series: name, values })),
    promql_expr_test: [
      ...(scenario.firing ?? []).map(firing),
      ...(scenario.values ?? []).map(value),
    ],
    alert_rule_test: (scenario.annotated ?? []).map(annotated),
  };
  const file = {
    rule_files: ['rules.yaml'],
    evaluation_interval: every,
    // Alerts see the records of the same evaluation. In a Prometheus they may be one evaluation later.
    group_eval_order: ruleGroups().map(({ name }) => name),
    tests: [test],
  };
  const asked = [...(scenario.firing ?? []), ...(scenario.annotated ?? [])].map(
    ({ alert }) => alert,
  );
  const expressions = (scenario.values ?? []).map(({ expression }) => expression);
  runPromtool(['test', 'rules', 'test.yaml'], {
    'test.yaml': stringify(file, { lineWidth: 0 }),
    'rules.yaml': rulesOfRelease(stringify({ groups: rulesFor(asked, expressions) })),
  });
}

/** Runs promtool in a folder with the rules and these files. @returns its output */
export function runPromtool(args: string[], files: Record<string, string> = {}): string {
  const folder = mkdtempSync(join(tmpdir(), 'engawa-rules-'));
  try {
    for (const [name, text] of Object.entries({ 'rules.yaml': rulesOfRelease(), ...files })) {
      writeFileSync(join(folder, name), text);
    }
    const { status, stdout, stderr } = spawnSync('promtool', args, {
      cwd: folder,
      encoding: 'utf8',
    });
    if (status !== 0) throw new Error(stdout + stderr);
    return stdout + stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function firing({ at, alert, with: expected }: Firing): object {
  const named = { alertname: alert, alertstate: 'firing' };
  return {
    expr: `ALERTS${inBraces(named)}`,
    eval_time: at,
    exp_samples: expected.map((labels) => ({
      labels: of('ALERTS', { ...named, ...labels }),
      value: 1,
    })),
  };
}

function value({ at, expression, is }: Value): object {
  const samples = typeof is === 'number' ? [{ labels: '{}', value: is }] : is;
  // Only the value matters, with two decimals.
  const expr = typeof is === 'number' ? `sum(round(${expression}, 0.01))` : expression;
  return { expr, eval_time: at, exp_samples: samples };
}

function annotated({ at, alert, labels, annotations }: Annotated): object {
  return {
    alertname: alert,
    eval_time: at,
    exp_alerts: [
      {
        exp_labels: { ...release, ...labels },
        exp_annotations: { runbook_url: `${runbooks}/${alert}.md`, ...annotations },
      },
    ],
  };
}

function inBraces(labels: Labels): string {
  return `{${Object.entries(labels)
    .map(([name, text]) => `${name}=${JSON.stringify(text)}`)
    .join(', ')}}`;
}

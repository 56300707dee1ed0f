import { firing, firingForSeconds } from '../expressions.ts';
import { table } from '../panels.ts';
import { alerts } from '../rules/index.ts';
import type { AlertRule } from '../rules/index.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

/** What the labels in a summary stand for; their values are in columns beside it. */
const placeholders: Readonly<Record<string, string>> = {
  component: 'the service',
  pod: 'the pod',
  partition: 'below',
  index: 'the index',
  unit: 'see unit',
  reason: 'see reason',
};

export function firingAlerts(): Panel {
  return table({
    title: 'Firing alerts',
    description:
      'The alerts that fire now: what each means, for how long it has been active, and what it concerns. Good: an empty list. The name of an alert links to its runbook.',
    unit: 'short',
    queries: [
      {
        expr: `label_join(${firingForSeconds()}, "summary", " ", "alertname", "cause", "window")`,
        legend: '{{alertname}}',
      },
    ],
    columns: [
      { from: 'severity', title: 'severity' },
      { from: 'alertname', title: 'alert', link: '${runbooks}/${__value.raw}.md' },
      { from: 'summary', title: 'summary', texts: summaries() },
      { from: 'Value', title: 'active for', unit: 'dtdurations' },
      ...['component', 'pod', 'index', 'unit', 'partition', 'scope', 'reason', 'cause'].map(
        (from) => ({ from, title: from === 'component' ? 'service' : from }),
      ),
    ],
    sortedBy: 'active for',
    width: 24,
    height: 7,
  });
}

/** How many fire. */
export function firingCount(none: string): { expr: string; legend: string } {
  return { expr: `count(${firing()}) or ${none}`, legend: 'firing' };
}

/** Sentences by what tells rules of one name apart, as the query joins it; Prometheus's `ALERTS` has no annotations. */
function summaries(): Record<string, string> {
  return Object.fromEntries(
    alerts().map((rule): [string, string] => [joined(rule), sentenceOf(rule)]),
  );
}

function joined({ alert, labels }: AlertRule): string {
  return [alert, labels['cause'] ?? '', labels['window'] ?? ''].join(' ');
}

function sentenceOf({ annotations }: AlertRule): string {
  return annotations.summary
    .replace('{{ $labels.release }}: ', '')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => placeholders[label] ?? label);
}

import { firing, firingForSeconds } from '../expressions.ts';
import { table } from '../panels.ts';
import { alerts } from '../rules/index.ts';
import type { AlertRule } from '../rules/index.ts';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';

/** Nouns instead of labels: the table has a column for each label's value. */
const nouns: Readonly<Record<string, string>> = { component: 'the service', pod: 'the pod' };

/** The labels by which rules of one name differ. */
const ruleLabels = ['alertname', 'severity', 'cause', 'window'] as const;

export function firingAlerts(): Panel {
  return table({
    title: 'Firing alerts',
    description:
      'Alerts that fire now, with their meaning, the time since they became active, and their labels. Good: an empty list. The name of an alert links to its runbook.',
    unit: 'short',
    queries: [
      {
        expr: `label_join(${firingForSeconds()}, "summary", " ", ${ruleLabels.map((label) => `"${label}"`).join(', ')})`,
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
    // By name `critical` comes before `warning`.
    sortedBy: [
      { title: 'severity', descending: false },
      { title: 'active for', descending: true },
    ],
    width: 24,
    height: 7,
  });
}

/** The number of firing alerts. */
export function firingCount(none: string): { expr: string; legend: string } {
  return { expr: `count(${firing()}) or ${none}`, legend: 'firing' };
}

/** Summaries by the joined labels of their rules: Prometheus's `ALERTS` has no annotations. */
function summaries(): Record<string, string> {
  return Object.fromEntries(
    alerts().map((rule): [string, string] => [joined(rule), sentenceOf(rule)]),
  );
}

function joined({ alert, labels }: AlertRule): string {
  const named: Readonly<Record<string, string>> = { alertname: alert, ...labels };
  return ruleLabels.map((label) => named[label] ?? '').join(' ');
}

function sentenceOf({ annotations }: AlertRule): string {
  return annotations.summary
    .replace('{{ $labels.release }}: ', '')
    .replace(/ \([^)]*\$labels[^)]*\)/, '')
    .replaceAll(/\{\{ \$labels\.(\w+) \}\}/g, (_, label: string) => nouns[label] ?? label);
}

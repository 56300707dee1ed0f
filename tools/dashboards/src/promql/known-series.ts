import { metricRows, processMetricRows } from '@engawa/reference';
import { alerts, recordingRules } from '../rules/index.ts';
import { wantedComponents, wantedReplicas } from '../rules/wanted.ts';
import { labelsOf } from './labels-of.ts';
import type { MetricRow } from '@engawa/reference';
import type { LabelsByName } from './labels-of.ts';

/** What the chart's ServiceMonitors, and Prometheus itself, put on every series. */
export const targetLabels = ['namespace', 'release', 'component', 'pod', 'job', 'instance'];

/**
 * The labels of everything that can be asked for: the metrics of the code, those of Node, recording rules, and what
 * Prometheus adds. @returns a function that throws for any other name
 */
export function knownSeries(): LabelsByName {
  const known = new Map<string, ReadonlySet<string>>([
    ['up', new Set(targetLabels)],
    ...[wantedComponents, wantedReplicas].map(
      (name) => [name, new Set(['namespace', 'release', 'component'])] as const,
    ),
  ]);
  for (const row of [...metricRows(), ...processMetricRows()]) {
    for (const [name, labels] of seriesOf(row)) known.set(name, labels);
  }
  const byName: LabelsByName = (name) => {
    const labels = known.get(name);
    if (labels === undefined) throw new Error(`there is no metric ${name}`);
    return labels;
  };
  // In their order: later ones are made of earlier ones.
  for (const { record, expr } of recordingRules()) known.set(record, seriesLabels(expr, byName));
  const firing = alertLabels(byName);
  known.set('ALERTS', firing);
  known.set('ALERTS_FOR_STATE', new Set([...firing].filter((label) => label !== 'alertstate')));
  return byName;
}

function seriesOf({ name, type, labelNames }: MetricRow): [string, ReadonlySet<string>][] {
  const labels = [...labelNames, ...targetLabels];
  if (type !== 'histogram') return [[name, new Set(labels)]];
  return [
    [`${name}_bucket`, new Set([...labels, 'le'])],
    [`${name}_sum`, new Set(labels)],
    [`${name}_count`, new Set(labels)],
  ];
}

function alertLabels(byName: LabelsByName): ReadonlySet<string> {
  const ofAlerts = alerts().flatMap(({ expr, labels }) => [
    ...seriesLabels(expr, byName),
    ...Object.keys(labels),
  ]);
  return new Set(['alertname', 'alertstate', ...ofAlerts]);
}

function seriesLabels(expression: string, byName: LabelsByName): ReadonlySet<string> {
  const labels = labelsOf(expression, byName);
  if (labels === 'scalar') throw new Error(`no series come of ${expression}`);
  return labels;
}

import { metricRows } from '@engawa/reference';
import { namesIn } from '../promql/labels-of.ts';
import { quantile, rateBy, series } from '../series.ts';
import { timeseries } from '../panels.ts';
import { alerts, recordingRules } from '../rules/index.ts';
import type { MetricRow } from '@engawa/reference';
import type { Panel } from '@grafana/grafana-foundation-sdk/dashboard';
import type { PanelRow } from '../build-dashboard.ts';

/** Grafana's units, by the end of a metric's name. */
const units: readonly (readonly [suffix: string, unit: string])[] = [
  ['_seconds', 's'],
  ['_bytes', 'bytes'],
  ['_ratio', 'percentunit'],
];

/**
 * A row with a panel for each metric that no other panel and no rule uses, so that a new metric is
 * shown as soon as it is declared. Without such metrics there is no row.
 * @param expressions the queries of all other panels
 */
export function otherMetrics(
  expressions: readonly string[],
  metrics: readonly MetricRow[] = metricRows(),
): PanelRow[] {
  const rules = [...alerts(), ...recordingRules()].map(({ expr }) => expr);
  const used = new Set([...expressions, ...rules].flatMap(namesIn));
  const unused = metrics.filter(({ name }) => !isUsed(name, used));
  const panels = unused.map((metric, index) => {
    const isAlone = index === unused.length - 1 && index % 2 === 0;
    return panelOf(metric, isAlone ? 24 : 12);
  });
  return panels.length === 0 ? [] : [{ title: 'Other metrics', panels }];
}

function isUsed(name: string, used: ReadonlySet<string>): boolean {
  return ['', '_bucket', '_sum', '_count'].some((suffix) => used.has(name + suffix));
}

function panelOf({ name, help, type, labelNames }: MetricRow, width: number): Panel {
  const labels = ['component', ...labelNames];
  const unit = units.find(([suffix]) => name.endsWith(suffix))?.[1] ?? 'short';
  const legend = labels.map((label) => `{{${label}}}`).join(' ');
  const options = { title: name, description: help, width };
  if (type === 'counter') {
    const queries = [{ expr: rateBy(labels.join(', '), name), legend }];
    return timeseries({ ...options, unit: 'ops', queries });
  }
  if (type === 'histogram') {
    const queries = [{ expr: quantile(0.99, labels.join(', '), name), legend: `${legend} p99` }];
    return timeseries({ ...options, unit, queries });
  }
  return timeseries({
    ...options,
    unit,
    queries: [{ expr: series(name), legend: `${legend} {{pod}}` }],
  });
}

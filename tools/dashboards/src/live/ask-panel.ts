import type { FilledVariables } from './grafana-variables.ts';
import type { TargetModel } from './dashboard-model.ts';
import type { Prometheus, Series, Span } from './prometheus.ts';

interface PanelContext {
  prometheus: Prometheus;
  variables: FilledVariables;
  span: Span;
}

/** Runs a Prometheus query of a panel. @param always over the whole span, instant queries too */
export function askTarget(
  { expr = '', instant = false }: TargetModel,
  { prometheus, variables, span }: PanelContext,
  always = false,
): Promise<Series[]> {
  const query = variables.fill(expr);
  return instant && !always ? prometheus.instant(query, span.to) : prometheus.range(query, span);
}

/** The finite values of all series. */
export function finiteValues(series: readonly Series[]): number[] {
  return series.flatMap(({ values }) =>
    values.map(([, value]) => Number(value)).filter(Number.isFinite),
  );
}

/** A legend such as `{{method}} {{route}}`, or what Grafana shows without one. */
export function nameOf({ legendFormat = '' }: TargetModel, { metric }: Series): string {
  if (legendFormat !== '' && legendFormat !== '__auto') {
    return legendFormat.replaceAll(
      /\{\{\s*(\w+)\s*\}\}/g,
      (_, label: string) => metric[label] ?? '',
    );
  }
  const labels = Object.entries(metric).filter(([label]) => label !== '__name__');
  return labels.map(([label, value]) => `${label}="${value}"`).join(', ') || 'Value';
}

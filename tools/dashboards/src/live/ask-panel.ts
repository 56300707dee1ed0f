import type { FilledVariables } from './grafana-variables.ts';
import type { PanelModel, TargetModel } from './dashboard-model.ts';
import type { Prometheus, Series, Span } from './prometheus.ts';

/** The result of one query of a panel. */
export interface PanelResult {
  target: TargetModel;
  series: Series[];
}

export interface PanelContext {
  prometheus: Prometheus;
  variables: FilledVariables;
  span: Span;
}

/** Runs all Prometheus queries of the panel. */
export function askPanel(panel: PanelModel, asking: PanelContext): Promise<PanelResult[]> {
  const targets = (panel.targets ?? []).filter(({ expr }) => expr !== undefined);
  return Promise.all(
    targets.map(async (target) => ({ target, series: await askTarget(target, asking) })),
  );
}

/** @param always over the whole span, instant queries too */
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

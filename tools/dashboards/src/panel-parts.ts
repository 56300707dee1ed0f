import {
  FieldColorModeId,
  ThresholdsConfigBuilder,
  ThresholdsMode,
} from '@grafana/grafana-foundation-sdk/dashboard';
import { DataqueryBuilder, PromQueryFormat } from '@grafana/grafana-foundation-sdk/prometheus';
import type { Builder, Dataquery } from '@grafana/grafana-foundation-sdk/cog';
import type { DataSourceRef } from '@grafana/grafana-foundation-sdk/common';
import type { Threshold } from '@grafana/grafana-foundation-sdk/dashboard';

/** A Prometheus query and its legend. */
export interface Query {
  expr: string;
  legend: string;
}

/** Options of all panels. Sizes are in cells of Grafana's grid, which is 24 wide. */
export interface PanelOptions {
  title: string;
  /** The meaning, the normal value, and the action for other values. */
  description: string;
  width?: number;
  height?: number;
}

export const prometheus: DataSourceRef = { type: 'prometheus', uid: '${datasource}' };

export function place({ width = 8, height = 8 }: PanelOptions) {
  return { x: 0, y: 0, w: width, h: height };
}

type Form = 'lines' | 'heatmap' | 'table';

/** The queries in Grafana's model; a table has instant queries. */
export function targets(queries: readonly Query[], form: Form = 'lines'): Builder<Dataquery>[] {
  return queries.map(({ expr, legend }, index) => {
    const target = new DataqueryBuilder()
      .refId(String.fromCharCode('A'.charCodeAt(0) + index))
      .datasource(prometheus)
      .expr(expr)
      .legendFormat(legend);
    if (form === 'table') return target.instant().format(PromQueryFormat.Table);
    // A percentile shows the traces of single values beside it, where Prometheus stores exemplars.
    if (expr.includes('histogram_quantile(')) target.exemplar(true);
    return target
      .range()
      .format(form === 'heatmap' ? PromQueryFormat.Heatmap : PromQueryFormat.TimeSeries);
  });
}

/** Thresholds of warning and critical values. */
export interface ThresholdOptions {
  warning?: number;
  critical?: number;
  /** Lower values are worse. */
  lowIsBad?: boolean;
}

const [good, fair, bad] = ['green', 'orange', 'red'];

export function thresholds({ warning, critical, lowIsBad = false }: ThresholdOptions) {
  const above = (value: number | undefined, color: string): Threshold[] =>
    value === undefined ? [] : [{ value, color }];
  const steps: Threshold[] = lowIsBad
    ? [
        { value: null, color: critical === undefined ? fair : bad },
        ...above(critical, warning === undefined ? good : fair),
        ...above(warning, good),
      ]
    : [{ value: null, color: good }, ...above(warning, fair), ...above(critical, bad)];
  return new ThresholdsConfigBuilder().mode(ThresholdsMode.Absolute).steps(steps);
}

export const colorByThresholds = { build: () => ({ mode: FieldColorModeId.Thresholds }) };
export const colorByName = { build: () => ({ mode: FieldColorModeId.PaletteClassicByName }) };

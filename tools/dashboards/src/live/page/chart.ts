import { colorOf, namedColor } from './colors.ts';
import { escaped } from './html.ts';
import type { PanelModel } from '../dashboard-model.ts';
import type { Span } from '../prometheus.ts';

/** A line with a name. Values are of the chart's times; null where there is none. */
export interface Line {
  name: string;
  values: (number | null)[];
}

export interface Lines {
  times: number[];
  lines: Line[];
}

/** What the page draws a chart from. */
export interface Chart {
  id: string;
  /** Epoch seconds: of the values, and from when to when the chart is. */
  times: number[];
  from: number;
  to: number;
  lines: { values: (number | null)[]; color: string }[];
  unit: string;
  stacked: boolean;
  bars: boolean;
  /** From 0 to 1. */
  fill: number;
  min?: number;
  max?: number;
  limits: { value: number; color: string }[];
}

/** Points of series whose times differ, on all times that there are. */
export function alignedLines(
  series: readonly { name: string; points: readonly (readonly [number, number])[] }[],
): Lines {
  const times = [...new Set(series.flatMap(({ points }) => points.map(([time]) => time)))];
  times.sort((a, b) => a - b);
  const lines = series.map(({ name, points }) => {
    const values = new Map(points);
    return {
      name,
      values: times.map((time) => {
        const value = values.get(time);
        return value === undefined || !Number.isFinite(value) ? null : value;
      }),
    };
  });
  return { times, lines };
}

export function chartOf(panel: PanelModel, span: Span, { times, lines }: Lines): Chart {
  const { unit = 'short', min, max, thresholds, custom = {} } = panel.fieldConfig?.defaults ?? {};
  const { fillOpacity = 0, stacking, thresholdsStyle } = custom;
  const stacked = stacking?.mode === 'normal';
  const withLimits = ['line', 'dashed', 'line+area', 'dashed+area'].includes(
    thresholdsStyle?.mode ?? '',
  );
  const steps = withLimits ? (thresholds?.steps ?? []) : [];
  const values = stacked ? heaped(lines) : lines.map((line) => line.values);
  return {
    id: `panel-${panel.id}`,
    times,
    from: span.from,
    to: span.to,
    lines: values.map((its, index) => ({ values: its, color: colorOf(index) })),
    unit,
    stacked,
    bars: custom.drawStyle === 'bars',
    fill: fillOpacity / 100,
    ...(min !== undefined && { min }),
    ...(max !== undefined && { max }),
    limits: steps.flatMap(({ value, color }) =>
      value === null ? [] : [{ value, color: namedColor(color) }],
    ),
  };
}

/** Each on top of those before it. */
function heaped(lines: readonly Line[]): (number | null)[][] {
  const sums: number[] = [];
  return lines.map(({ values }) =>
    values.map((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0))),
  );
}

/** The place where the page draws the chart, and what its lines are called. */
export function chartHtml(id: string, lines: readonly Line[]): string {
  const names = lines.map(
    ({ name }, index) =>
      `<span><i style="background:${colorOf(index)}"></i>${escaped(name)}</span>`,
  );
  return `<div class="chart" id="${id}"></div><div class="legend">${names.join('')}</div>`;
}

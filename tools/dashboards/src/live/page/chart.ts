import { colorOf, namedColor } from './colors.ts';
import { formatValue } from './format-value.ts';
import { escaped } from './html.ts';
import type { PanelModel } from '../dashboard-model.ts';
import type { Span } from '../prometheus.ts';

/** A named line with one value for each of the chart's times, or null. */
export interface Line {
  name: string;
  values: (number | null)[];
}

export interface Lines {
  times: number[];
  lines: Line[];
}

/** The data of a chart. */
export interface Chart {
  id: string;
  /** Epoch seconds: the times of the values, and the range of the chart. */
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

/** Aligns series whose times differ on the union of their times. */
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
  const { fillOpacity = 0, stacking, thresholdsStyle, spanNulls } = custom;
  const stacked = stacking?.mode === 'normal';
  const withLimits = ['line', 'dashed', 'line+area', 'dashed+area'].includes(
    thresholdsStyle?.mode ?? '',
  );
  const steps = withLimits ? (thresholds?.steps ?? []) : [];
  const values = stacked ? heaped(lines) : lines.map((line) => line.values);
  const maxGap = typeof spanNulls === 'number' ? spanNulls / 1000 : 0;
  return {
    id: `panel-${panel.id}`,
    times,
    from: span.from,
    to: span.to,
    lines: values.map((its, index) => ({
      values: bridged(its, times, maxGap),
      color: colorOf(index),
    })),
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

/** Interpolates gaps of up to `maxGap` seconds. */
function bridged(
  values: readonly (number | null)[],
  times: readonly number[],
  maxGap: number,
): (number | null)[] {
  const filled = [...values];
  let last: number | undefined;
  for (const [index, value] of values.entries()) {
    if (value === null) continue;
    const [start = 0, end = 0] = [times[last ?? index], times[index]];
    for (let between = (last ?? index) + 1; between < index && end - start <= maxGap; between++) {
      const share = ((times[between] ?? 0) - start) / (end - start);
      const before = values[last ?? index] ?? 0;
      filled[between] = before + share * (value - before);
    }
    last = index;
  }
  return filled;
}

/** Stacks each line on the sum of the lines before it. */
function heaped(lines: readonly Line[]): (number | null)[][] {
  const sums: number[] = [];
  return lines.map(({ values }) =>
    values.map((value, index) => (sums[index] = (sums[index] ?? 0) + (value ?? 0))),
  );
}

/** The element in which the page draws the chart, and its legend. */
export function chartHtml(panel: PanelModel, id: string, lines: readonly Line[]): string {
  const chart = `<div class="chart" id="${id}"></div>`;
  const { displayMode, placement } = panel.options?.legend ?? {};
  if (displayMode === 'table' && placement === 'right') {
    const unit = panel.fieldConfig?.defaults.unit ?? 'short';
    return `<div class="beside">${chart}${legendTable(lines, unit)}</div>`;
  }
  const names = lines.map(
    ({ name }, index) =>
      `<span><i style="background:${colorOf(index)}"></i>${escaped(name)}</span>`,
  );
  return `${chart}<div class="legend">${names.join('')}</div>`;
}

/** Names with their maxima, the highest first. */
function legendTable(lines: readonly Line[], unit: string): string {
  const rows = lines
    .map(({ name, values }, index) => ({
      name: `<i style="background:${colorOf(index)}"></i>${escaped(name)}`,
      max: Math.max(...values.filter((value) => value !== null)),
    }))
    .sort((one, other) => other.max - one.max)
    .map(({ name, max }) => `<tr><td>${name}</td><td>${formatValue(max, unit)}</td></tr>`);
  return `<div class="legend"><table><tr><th>Name</th><th>Max</th></tr>${rows.join('')}</table></div>`;
}

import { colorOf, namedColor } from './colors.ts';
import { formatValue } from './format-value.ts';
import { axisLook, contentSize, renderSvg } from './render-svg.ts';
import type { EChartsOption, LineSeriesOption } from 'echarts';
import type { PanelModel } from '../dashboard-model.ts';
import type { Span } from '../prometheus.ts';

/** Times in epoch seconds. */
export interface Line {
  name: string;
  points: readonly (readonly [time: number, value: number])[];
}

const legendLook = {
  textStyle: { color: '#ccccdc', fontSize: 11.5 },
  icon: 'roundRect',
  itemWidth: 13,
  itemHeight: 3,
  itemGap: 8,
  padding: 0,
};
/** In pixels; widths are approximate. */
const legendRowHeight = 20;
const legendSymbolWidth = 30;
const legendCharacterWidth = 6.2;
const maxLegendRows = 4;

/** A panel of type `timeseries`, with the axes, thresholds and legend that the panel sets. */
export function chartSvg(panel: PanelModel, span: Span, lines: readonly Line[]): string {
  const { unit = 'short', min, max } = panel.fieldConfig?.defaults ?? {};
  const values = lines.flatMap(({ points }) => points.map(([, value]) => value));
  const byteStep = 2 ** Math.ceil(Math.log2(Math.max(...values) / 4));
  const clock = span.to - span.from > 3600 ? '{HH}:{mm}' : '{HH}:{mm}:{ss}';
  return renderSvg(panel, {
    ...legendAndGrid(panel, lines, unit),
    color: lines.map((_, index) => colorOf(index)),
    xAxis: {
      type: 'time',
      min: span.from * 1000,
      max: span.to * 1000,
      ...axisLook,
      axisLabel: { ...axisLook.axisLabel, formatter: clock, hideOverlap: true },
    },
    yAxis: {
      type: 'value',
      scale: true,
      ...(min !== undefined && { min }),
      ...(max !== undefined && { max }),
      ...(unit === 'bytes' && { interval: byteStep, max: 4 * byteStep }),
      ...axisLook,
      axisLabel: { ...axisLook.axisLabel, formatter: (value: number) => formatValue(value, unit) },
    },
    series: seriesOf(panel, span, lines),
  });
}

function seriesOf(panel: PanelModel, span: Span, lines: readonly Line[]): EChartsOption['series'] {
  const { thresholds, custom = {} } = panel.fieldConfig?.defaults ?? {};
  const { fillOpacity = 0, stacking, thresholdsStyle, spanNulls, drawStyle } = custom;
  if (drawStyle === 'bars') {
    return lines.map(({ name, points }) => ({ type: 'bar', name, data: inMs(points) }));
  }
  const isStacked = stacking?.mode === 'normal';
  const maxGap = typeof spanNulls === 'number' ? spanNulls / 1000 : span.step * 1.5;
  const steps = (thresholdsStyle?.mode ?? 'off') === 'off' ? [] : (thresholds?.steps ?? []);
  const limits = steps.flatMap(({ value, color }) =>
    value === null ? [] : [{ yAxis: value, lineStyle: { color: namedColor(color) } }],
  );
  const times = timesOf(lines);
  return lines.map(({ name, points }, index): LineSeriesOption => ({
    type: 'line',
    name,
    data: isStacked ? inMs(filled(points, times)) : withGaps(points, maxGap),
    ...(isStacked && { stack: 'all' }),
    showSymbol: false,
    lineStyle: { width: 1.3 },
    areaStyle: { opacity: fillOpacity / 100 },
    ...(index === 0 && { markLine: { symbol: 'none', label: { show: false }, data: limits } }),
  }));
}

type Points = Line['points'];

function inMs(points: Points): [number, number][] {
  return points.map(([time, value]) => [time * 1000, value]);
}

function timesOf(lines: readonly Line[]): number[] {
  const times = new Set(lines.flatMap(({ points }) => points.map(([time]) => time)));
  return [...times].sort((a, b) => a - b);
}

/** With a value at each of the times, as stacking needs them: 0 where there is none. */
function filled(points: Points, times: readonly number[]): Points {
  const values = new Map(points);
  return times.map((time) => [time, values.get(time) ?? 0]);
}

/** With a null, which breaks the line, in each gap of more than `maxGap` seconds. */
function withGaps(points: Points, maxGap: number): [number, number | null][] {
  return points.flatMap(([time, value], index) => {
    const before = points[index - 1]?.[0] ?? time;
    const gap: [number, null][] = time - before > maxGap ? [[before * 1000 + 1, null]] : [];
    return [...gap, [time * 1000, Number.isFinite(value) ? value : null]];
  });
}

/**
 * The legend below the chart; or beside it with each line's maximum, the highest first. Entries
 * without room are left out.
 */
function legendAndGrid(panel: PanelModel, lines: readonly Line[], unit: string): EChartsOption {
  const grid = { top: 12, left: 4, right: 12, bottom: 4, outerBoundsMode: 'same' } as const;
  const { width, height } = contentSize(panel);
  const { displayMode, placement } = panel.options?.legend ?? {};
  if (displayMode === 'table' && placement === 'right') {
    const maxima = new Map(lines.map(({ name, points }) => [name, maximumOf(points)]));
    const names = [...maxima].sort(([, one], [, other]) => other - one).map(([name]) => name);
    const data = names.slice(0, Math.floor(height / legendRowHeight) - 1);
    const formatter = (name: string) => `${name}  ${formatValue(maxima.get(name) ?? 0, unit)}`;
    const longest = Math.max(...data.map((name) => formatter(name).length));
    const right = legendSymbolWidth + longest * legendCharacterWidth;
    const legend = {
      ...legendLook,
      orient: 'vertical',
      right: 0,
      top: 12,
      data,
      formatter,
    } as const;
    return { legend, grid: { ...grid, right } };
  }
  const rows = legendRows(lines, width).slice(0, maxLegendRows);
  return {
    legend: { ...legendLook, left: 8, bottom: 0, data: rows.flat() },
    grid: { ...grid, bottom: rows.length * legendRowHeight + 8 },
  };
}

function maximumOf(points: Points): number {
  return Math.max(...points.map(([, value]) => value).filter(Number.isFinite), 0);
}

/** The names that fit into each row. */
function legendRows(lines: readonly Line[], width: number): string[][] {
  const rows: string[][] = [[]];
  let used = 0;
  for (const { name } of lines) {
    const needed = legendSymbolWidth + name.length * legendCharacterWidth;
    if (used > 0 && used + needed > width) {
      rows.push([]);
      used = 0;
    }
    rows.at(-1)?.push(name);
    used += needed;
  }
  return rows;
}

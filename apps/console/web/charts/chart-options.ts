import uPlot from 'uplot';
import { formatNumber } from '../i18n/format.ts';
import { barPaths } from './bar-paths.ts';
import { seriesColor, themeColor, translucent } from './chart-colors.ts';
import { timeLabels } from './time-labels.ts';
import type { Chart, ChartSeries, TimeRange } from './chart.ts';

export interface PlotOptions {
  width: number;
  language: string;
  isDark: boolean;
  /** The range that is shown; it moves without new data. */
  view: () => TimeRange;
  /** Called with a range of time that was selected by dragging, in epoch milliseconds. */
  onSelect: (from: number, to: number) => void;
  /** Called with the position of each series' value at the cursor. */
  onCursor: (positions: readonly (number | null)[]) => void;
  onDoubleClick: () => void;
}

const height = 224;
/** The same for all charts, so that their times are below each other. In pixels, enough for `1,000,000`. */
const valueAxisWidth = 64;
/** Half of a label of the time axis. */
const rightPadding = 22;
/** A shorter drag is a click. In pixels. */
const minDragPixels = 5;
const font = '12px system-ui, sans-serif';
const bandOpacity = 0.16;
const previousOpacity = 0.65;
const previousBarOpacity = 0.35;

/** The options of uPlot for a chart. */
export function plotOptions(chart: Chart, options: PlotOptions): uPlot.Options {
  const { width, view, onSelect, onCursor, onDoubleClick } = options;
  return {
    width,
    height,
    ms: 1,
    legend: { show: false },
    padding: [8, rightPadding, 0, 0],
    tzDate: (time) => uPlot.tzDate(new Date(time), chart.timeZone),
    scales: {
      x: { time: true, range: () => [view().from, view().to] },
      y: { range: yRange(chart.kind) },
    },
    axes: axes(chart, options),
    series: [{}, ...chart.series.map((series) => seriesOptions(chart, series, options.isDark))],
    bands: bands(chart, options.isDark),
    cursor: {
      y: false,
      drag: { x: true, y: false, setScale: false },
      sync: {
        key: 'charts',
        setSeries: false,
        scales: ['x', null],
        // A selection belongs to the chart in which it is made.
        filters: { pub: (type) => type === 'mousemove' || type === 'mouseleave' },
      },
      points: { size: 7 },
      bind: {
        dblclick: () => () => {
          onDoubleClick();
          return null;
        },
      },
    },
    hooks: {
      setSelect: [
        (plot) => {
          const { left, width: dragged } = plot.select;
          if (dragged < minDragPixels) return;
          const [start, end] = [plot.posToVal(left, 'x'), plot.posToVal(left + dragged, 'x')];
          plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
          onSelect(Math.round(start), Math.round(end));
        },
      ],
      setCursor: [(plot) => onCursor((plot.cursor.idxs ?? []).slice(1))],
    },
  };
}

/** Bars begin at zero. Lines use the whole height, and a constant value is in the middle. */
function yRange(kind: Chart['kind']): uPlot.Scale.Range {
  return (_plot, min, max) => {
    // Without any value uPlot passes null.
    if (!Number.isFinite(min) || !Number.isFinite(max)) return [0, 1];
    const low = kind === 'bars' ? Math.min(0, min) : min;
    const high = kind === 'bars' ? Math.max(0, max) : max;
    if (low === high) return [low - 1, high + 1];
    const margin = (high - low) * 0.06;
    return kind === 'bars' && low === 0 ? [0, high + margin] : [low - margin, high + margin];
  };
}

function axes(chart: Chart, { language }: PlotOptions): uPlot.Axis[] {
  const shared = {
    font,
    stroke: themeColor('--text-muted'),
    grid: { stroke: themeColor('--line'), width: 1 },
    ticks: { show: false },
  };
  const { timeZone } = chart;
  return [
    {
      ...shared,
      grid: { show: false },
      ticks: { stroke: themeColor('--line'), width: 1, size: 4 },
      size: 44,
      space: 72,
      values: (_plot, times, _axis, _space, stepMs) =>
        timeLabels(times, { language, timeZone, stepMs }),
    },
    {
      ...shared,
      size: valueAxisWidth,
      space: 36,
      values: (_plot, values) => values.map((value) => formatNumber(value)),
    },
  ];
}

function seriesOptions(chart: Chart, series: ChartSeries, isDark: boolean): uPlot.Series {
  const color = seriesColor(series.color, isDark);
  if (chart.kind === 'bars') return barOptions(chart, series, color);
  const base = { spanGaps: false, points: { show: false } };
  if (series.role === 'value') {
    // A value between two gaps has no line: uPlot draws it as a point.
    return { ...base, stroke: color, width: 1.5, points: { size: 4, fill: color } };
  }
  if (series.role === 'previous') {
    return { ...base, stroke: translucent(color, previousOpacity), width: 1.25, dash: [4, 4] };
  }
  return { ...base, stroke: 'transparent', width: 0 };
}

/** Values of now are beside each other, and those of before are as pale bars after them. */
function barOptions(chart: Chart, series: ChartSeries, color: string): uPlot.Series {
  const buckets = chart.buckets ?? [];
  const slots = chart.series.length;
  const slot = chart.series.indexOf(series);
  const isPrevious = series.role === 'previous';
  return {
    fill: isPrevious ? translucent(color, previousBarOpacity) : color,
    width: 0,
    points: { show: false },
    paths: barPaths({ buckets, slot, slots }),
  };
}

function bands(chart: Chart, isDark: boolean): uPlot.Band[] {
  return chart.series.flatMap(({ role, color }, index): uPlot.Band[] => {
    if (role !== 'high') return [];
    const fill = translucent(seriesColor(color, isDark), bandOpacity);
    return [{ series: [index + 1, index], fill }]; // the low edge is the series before; x is series 0
  });
}

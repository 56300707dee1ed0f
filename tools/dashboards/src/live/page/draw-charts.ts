import { formatValue, unitScales } from './format-value.ts';
import type { Chart } from './chart.ts';

/** The used part of uPlot. */
interface Plot {
  ctx: {
    save(): void;
    restore(): void;
    setLineDash(lengths: number[]): void;
    beginPath(): void;
    moveTo(x: number, y: number): void;
    lineTo(x: number, y: number): void;
    stroke(): void;
    strokeStyle: string;
  };
  bbox: { left: number; top: number; width: number; height: number };
  valToPos(value: number, scale: string, canvas: boolean): number;
}

interface Place {
  clientWidth: number;
  clientHeight: number;
}

interface Tools {
  Plot: {
    new (options: object, data: (number | null)[][], place: Place): unknown;
    paths: { bars(options: object): unknown };
  };
  placeOf: (id: string) => Place;
}

/** Draws thresholds as dashed lines. */
function drawLimits({ limits }: Chart, plot: Plot): void {
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.setLineDash([8, 8]);
  for (const { value, color } of limits) {
    const y = Math.round(plot.valToPos(value, 'y', true));
    if (y < bbox.top || y > bbox.top + bbox.height) continue;
    ctx.strokeStyle = color;
    ctx.beginPath();
    ctx.moveTo(bbox.left, y);
    ctx.lineTo(bbox.left + bbox.width, y);
    ctx.stroke();
  }
  ctx.restore();
}

function rangeOf({ min, max }: Chart, low: number | null, high: number | null): [number, number] {
  const room = ((high ?? 0) - (min ?? low ?? 0)) * 0.08;
  const bottom = min ?? (low ?? 0) - room;
  const top = max ?? (high ?? 0) + room;
  return [bottom, top > bottom ? top : bottom + 1];
}

function axesOf({ unit }: Chart): object[] {
  const faint = 'rgba(204, 204, 220, 0.07)';
  const grid = { stroke: faint, width: 1 };
  const look = {
    stroke: '#9a9ba6',
    font: '12px Inter, Arial, sans-serif',
    grid,
    ticks: { show: false },
  };
  const binary = Array.from({ length: 40 }, (_, power) => 2 ** power);
  const step = (splits: number[]): number => (splits[1] ?? 0) - (splits[0] ?? 0);
  const clock = (_: unknown, splits: number[]) =>
    splits.map((seconds) =>
      new Date(seconds * 1000).toISOString().slice(11, step(splits) < 60 ? 19 : 16),
    );
  const values = (_: unknown, splits: number[]) =>
    splits.map((value) => formatValue(value, unit, undefined, step(splits)));
  const size = (_: unknown, labels: string[] | null) =>
    16 + 7 * Math.max(...(labels ?? ['']).map((label) => label.length));
  return [
    { ...look, size: 26, values: clock, space: 74 },
    { ...look, size, values, space: 34, ...(unit === 'bytes' && { incrs: binary }) },
  ];
}

function drawCharts(charts: readonly Chart[], { Plot, placeOf }: Tools): void {
  for (const chart of charts) {
    const place = placeOf(chart.id);
    const opacity = Math.round(chart.fill * 255)
      .toString(16)
      .padStart(2, '0');
    const lines = chart.lines.map(({ color }) => ({
      stroke: color,
      width: 1.3,
      fill: color + opacity,
      points: { show: false },
      ...(chart.bars && { paths: Plot.paths.bars({ size: [0.8, 40], align: 1 }) }),
    }));
    const options = {
      width: place.clientWidth,
      height: place.clientHeight,
      legend: { show: false },
      cursor: { show: false },
      scales: {
        x: { range: () => [chart.from, chart.to] },
        y: {
          range: (_: unknown, low: number | null, high: number | null) => rangeOf(chart, low, high),
        },
      },
      axes: axesOf(chart),
      series: [{}, ...lines],
      bands: chart.stacked
        ? lines.slice(1).map((_, index) => ({ series: [index + 2, index + 1] }))
        : [],
      hooks: { draw: [(plot: Plot) => drawLimits(chart, plot)] },
    };
    new Plot(options, [chart.times, ...chart.lines.map(({ values }) => values)], place);
  }
}

/** `drawCharts` as a script, for a page that has loaded uPlot. */
export function drawingScript(charts: readonly Chart[]): string {
  return `
const unitScales = ${JSON.stringify(unitScales)};
${[formatValue, drawLimits, rangeOf, axesOf, drawCharts].map(String).join('\n')}
drawCharts(${JSON.stringify(charts).replaceAll('<', '\\u003c')}, { Plot: uPlot, placeOf: (id) => document.getElementById(id) });`;
}

import { formatValue } from './format-value.ts';
import type { PanelModel } from '../dashboard-model.ts';
import type { Series } from '../prometheus.ts';

/** Maximum number of drawn columns. */
const maxColumns = 120;
/** Grafana's scheme “Oranges” for a dark theme, from low to high. */
const oranges = [
  '#2b2119',
  '#5c2f12',
  '#8c3f0f',
  '#bd520f',
  '#e56a17',
  '#f98d3c',
  '#fdb372',
  '#fdd6ac',
];

/** Prometheus's buckets are cumulative; each row here counts one bucket alone. */
export function heatmapHtml(panel: PanelModel, series: readonly Series[]): string {
  const buckets = series
    .map(({ metric, values }) => ({
      limit: Number(metric['le']?.replace('+Inf', 'Infinity')),
      values,
    }))
    .sort((a, b) => a.limit - b.limit);
  const times = [...new Set(buckets.flatMap(({ values }) => values.map(([time]) => time)))].sort(
    (a, b) => a - b,
  );
  const width = Math.min(maxColumns, times.length);
  const rows = buckets.map(({ values }) => inColumns(values, times, width));
  const own = rows.map((row, index) =>
    row.map((value, column) => Math.max(0, value - (rows[index - 1]?.[column] ?? 0))),
  );
  const most = Math.max(...own.flat(), Number.EPSILON);
  const cells = own.flatMap((row, index) =>
    row.flatMap((value, column) =>
      value <= 0 ? [] : [cell(column, rows.length - 1 - index, value / most)],
    ),
  );
  const unit = panel.options?.yAxis?.unit ?? 'short';
  const names = buckets
    .map(({ limit }) => (Number.isFinite(limit) ? formatValue(limit, unit) : '+Inf'))
    .reverse();
  return [
    `<div class="heatmap"><div class="limits">${names.map((name) => `<span>${name}</span>`).join('')}</div>`,
    `<svg viewBox="0 0 ${width} ${rows.length}" preserveAspectRatio="none">${cells.join('')}</svg></div>`,
    `<div class="hours">${clockLabels(times)
      .map((label) => `<span>${label}</span>`)
      .join('')}</div>`,
  ].join('');
}

function inColumns(values: Series['values'], times: readonly number[], width: number): number[] {
  const columns = Array.from({ length: width }, () => 0);
  const places = new Map(
    times.map((time, index) => [time, Math.floor((index * width) / times.length)]),
  );
  for (const [time, value] of values) {
    const place = places.get(time) ?? 0;
    columns[place] = Math.max(columns[place] ?? 0, Number(value) || 0);
  }
  return columns;
}

function cell(x: number, y: number, share: number): string {
  const color =
    oranges[Math.min(oranges.length - 1, Math.floor(Math.sqrt(share) * oranges.length))] ?? '';
  return `<rect x="${x}" y="${y}" width="0.94" height="0.9" fill="${color}"/>`;
}

function clockLabels(times: readonly number[]): string[] {
  const labels = 5;
  return Array.from({ length: labels }, (_, index) => {
    const time = times[Math.floor((index * (times.length - 1)) / (labels - 1))] ?? 0;
    return new Date(time * 1000).toISOString().slice(11, 19);
  });
}

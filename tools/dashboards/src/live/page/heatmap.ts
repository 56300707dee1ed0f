import { formatValue } from './format-value.ts';
import { axisLook, renderSvg } from './render-svg.ts';
import type { PanelModel } from '../dashboard-model.ts';
import type { Series } from '../prometheus.ts';

/** Grafana's scheme “Oranges” for a dark theme, from low to high. */
const oranges = [
  ...['#2b2119', '#5c2f12', '#8c3f0f', '#bd520f', '#e56a17', '#f98d3c', '#fdb372', '#fdd6ac'],
];

/** Prometheus's buckets are cumulative; each row here counts one bucket alone. */
export function heatmapSvg(panel: PanelModel, series: readonly Series[]): string {
  const buckets = series
    .map(({ metric, values }) => ({
      limit: Number(metric['le']?.replace('+Inf', 'Infinity')),
      counts: new Map(values.map(([time, count]) => [time, Number(count) || 0])),
    }))
    .sort((a, b) => a.limit - b.limit);
  const times = [...new Set(buckets.flatMap(({ counts }) => [...counts.keys()]))].sort(
    (a, b) => a - b,
  );
  const cells = buckets.flatMap(({ counts }, row) =>
    times.map((time, column) => {
      const count = (counts.get(time) ?? 0) - (buckets[row - 1]?.counts.get(time) ?? 0);
      // The square root makes small counts visible.
      return [column, row, Math.sqrt(Math.max(0, count))] as const;
    }),
  );
  const unit = panel.options?.yAxis?.unit ?? 'short';
  const limits = buckets.map(({ limit }) =>
    Number.isFinite(limit) ? formatValue(limit, unit) : '+Inf',
  );
  const clock = times.map((time) => new Date(time * 1000).toISOString().slice(11, 19));
  const look = { ...axisLook, splitLine: { show: false } };
  return renderSvg(panel, {
    grid: { top: 4, left: 4, right: 12, bottom: 4, outerBoundsMode: 'same' },
    xAxis: { type: 'category', data: clock, ...look },
    yAxis: { type: 'category', data: limits, ...look },
    visualMap: {
      show: false,
      min: Number.EPSILON,
      max: Math.max(...cells.map(([, , count]) => count), 1e-9),
      inRange: { color: oranges },
      outOfRange: { opacity: 0 },
    },
    series: { type: 'heatmap', data: cells.map((cell) => [...cell]) },
  });
}

import { thresholdColor } from './colors.ts';
import { formatValue } from './format-value.ts';
import { escaped } from './html.ts';
import type { PanelModel } from '../dashboard-model.ts';

export interface StatLine {
  name: string;
  values: readonly number[];
}

/** The last value of each line, large, over a sparkline. */
export function statHtml(panel: PanelModel, lines: readonly StatLine[]): string {
  const {
    unit = 'short',
    decimals,
    thresholds,
    noValue = 'No data',
  } = panel.fieldConfig?.defaults ?? {};
  if (lines.length === 0)
    return `<div class="stat" style="color:#73bf69"><b>${escaped(noValue)}</b></div>`;
  const tiles = lines.map(({ name, values }) => {
    const last = values.at(-1) ?? NaN;
    const color = thresholdColor(thresholds?.steps, last);
    const caption = lines.length > 1 ? `<em>${escaped(name)}</em>` : '';
    const text = Number.isFinite(last) ? formatValue(last, unit, decimals) : noValue;
    return `<div class="stat" style="color:${color}">${caption}<b style="--characters:${text.length}">${escaped(text)}</b>${sparkline(values, color)}</div>`;
  });
  return `<div class="stats">${tiles.join('')}</div>`;
}

function sparkline(values: readonly number[], color: string): string {
  const finite = values.filter(Number.isFinite);
  if (finite.length < 2) return '';
  const [low, high] = [Math.min(...finite, 0), Math.max(...finite)];
  const points = finite.map((value, index) => {
    const x = (100 * index) / (finite.length - 1);
    const y = 30 - (28 * (value - low)) / (high - low || 1);
    return `${x.toFixed(1)},${y.toFixed(1)}`;
  });
  return [
    '<svg viewBox="0 0 100 30" preserveAspectRatio="none">',
    `<polygon points="0,30 ${points.join(' ')} 100,30" fill="${color}" fill-opacity="0.18"/>`,
    `<polyline points="${points.join(' ')}" fill="none" stroke="${color}" vector-effect="non-scaling-stroke"/></svg>`,
  ].join('');
}

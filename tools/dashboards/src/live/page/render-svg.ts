import { init } from 'echarts';
import { columnWidth, lineHeight, panelGap } from './layout.ts';
import type { EChartsOption } from 'echarts';
import type { PanelModel } from '../dashboard-model.ts';

/** Padding, border and title of a panel, in pixels. */
const frame = { width: 18, height: 38 };

/** The look of an axis. */
export const axisLook = {
  axisLabel: { color: '#9a9ba6' },
  axisLine: { show: false },
  axisTick: { show: false },
  splitLine: { show: true, lineStyle: { color: 'rgba(204, 204, 220, 0.07)' } },
};

/** Of a panel's content, in pixels. */
export function contentSize({ gridPos: { w, h } }: PanelModel): { width: number; height: number } {
  return {
    width: Math.floor(w * columnWidth - panelGap - frame.width),
    height: h * lineHeight - panelGap - frame.height,
  };
}

/** Draws a chart that fills the panel. @returns an SVG element */
export function renderSvg(panel: PanelModel, option: EChartsOption): string {
  const chart = init(null, null, { renderer: 'svg', ssr: true, ...contentSize(panel) });
  chart.setOption({ animation: false, useUTC: true, ...option });
  const svg = chart.renderToSVGString();
  chart.dispose();
  return svg;
}

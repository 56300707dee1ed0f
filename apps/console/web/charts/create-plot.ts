import uPlot from 'uplot';
import { plotOptions } from './chart-options.ts';
import type { Chart } from './chart.ts';
import type { PlotOptions } from './chart-options.ts';

/** Draws a chart into an element. `destroy()` removes it. */
export function createPlot(host: HTMLElement, chart: Chart, options: PlotOptions): uPlot {
  const data = [chart.times, ...chart.series.map(({ column }) => column)];
  return new uPlot(plotOptions(chart, options), data as uPlot.AlignedData, host);
}

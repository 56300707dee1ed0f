import { useEffect, useRef, useState } from 'preact/hooks';
import { language } from '../i18n/language.ts';
import { isDark } from '../theme/theme.ts';
import { ChartLegend } from './chart-legend.tsx';
import { ChartNumbers } from './chart-numbers.tsx';
import { createPlot } from './create-plot.ts';
import { chartTexts } from './texts.ts';
import type uPlot from 'uplot';
import type { Chart } from './chart.ts';
import 'uplot/dist/uPlot.min.css';
import './charts.css';

interface TimeChartProps {
  chart: Chart;
  /** Of the plot with its axes, in CSS pixels. */
  width: number;
  onZoom: (from: number, to: number) => void;
  onZoomOut: () => void;
}

/** A chart of one unit: legend with the values at the cursor, plot, and a table of its numbers. */
export function TimeChart(props: TimeChartProps) {
  const { chart } = props;
  const [positions, setPositions] = useState<readonly (number | null)[]>([]);
  const { host, plot } = usePlot(props, setPositions);
  return (
    <section class="chart" aria-label={chart.title} data-chart={chart.key}>
      <header class="chart-header">
        <h2>{chart.title}</h2>
        {chart.unit !== undefined && <span class="chart-unit">{chart.unit}</span>}
        <span class="chart-detail">{chart.detail}</span>
      </header>
      <ChartLegend chart={chart} positions={positions} />
      <div
        ref={host}
        class="chart-plot"
        role="img"
        tabIndex={0}
        aria-label={chartTexts.value.chart(chart.title)}
        onKeyDown={(event) => {
          if (plot.current !== undefined && moveCursor(plot.current, event.key)) {
            event.preventDefault();
            event.stopPropagation();
          }
        }}
      />
      <div class="chart-end">
        <ChartNumbers tables={chart.tables} />
        <p class="chart-hint">{chartTexts.value.hint}</p>
      </div>
    </section>
  );
}

/** The plot, drawn again when its data, its width, the language or the theme changes. */
function usePlot(
  { chart, width, onZoom, onZoomOut }: TimeChartProps,
  onCursor: (positions: readonly (number | null)[]) => void,
) {
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | undefined>(undefined);
  const callbacks = useRef({ onZoom, onZoomOut });
  callbacks.current = { onZoom, onZoomOut };
  const dark = isDark();
  const tag = language.value;
  useEffect(() => {
    if (host.current === null || width <= 0) return undefined;
    onCursor([]);
    const created = createPlot(host.current, chart, {
      width,
      language: tag,
      isDark: dark,
      onCursor,
      onSelect: (from, to) => callbacks.current.onZoom(from, to),
      onDoubleClick: () => callbacks.current.onZoomOut(),
    });
    plot.current = created;
    return () => {
      plot.current = undefined;
      created.destroy();
    };
  }, [chart, width, dark, tag]);
  return { host, plot };
}

/** Moves the cursor to a neighbouring time, as the mouse would. @returns whether the key has a meaning */
function moveCursor(plot: uPlot, key: string): boolean {
  const [times = []] = plot.data;
  const last = times.length - 1;
  const { idx } = plot.cursor;
  const target = {
    ArrowLeft: (idx ?? last + 1) - 1,
    ArrowRight: (idx ?? -1) + 1,
    Home: 0,
    End: last,
  }[key];
  if (target === undefined || last < 0) return false;
  const time = times[Math.min(last, Math.max(0, target))] ?? 0;
  plot.setCursor({ left: plot.valToPos(time, 'x'), top: plot.bbox.height / 4 });
  return true;
}

import { useRef, useState } from 'preact/hooks';
import { ChartLegend } from './chart-legend.tsx';
import { ChartNumbers } from './chart-numbers.tsx';
import { chartTexts } from './texts.ts';
import { usePlot } from './use-plot.ts';
import { useReading } from './use-reading.ts';
import type uPlot from 'uplot';
import type { RangeControl } from './bind-gestures.ts';
import type { Chart } from './chart.ts';
import 'uplot/dist/uPlot.min.css';
import './charts.css';

interface TimeChartProps {
  chart: Chart;
  /** Of the plot with its axes, in CSS pixels. */
  width: number;
  /** Moves this chart, with all others of the page. */
  control: RangeControl;
  onZoom: (from: number, to: number) => void;
  /** Returns to the range before the last step. */
  onBack: () => void;
}

/** A chart of one unit: legend with the values at the cursor, plot, and a table of its numbers. */
export function TimeChart({ chart, width, control, onZoom, onBack }: TimeChartProps) {
  const [positions, setPositions] = useState<readonly (number | null)[]>([]);
  const host = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot>(null);
  const view = () => control.view.peek() ?? chart.range;
  const reading = useReading({ chart, plot, view });
  usePlot(host, plot, {
    chart,
    width,
    control,
    onZoom,
    onBack,
    onCursor: setPositions,
    onTap: reading.tap,
    onDrawn: reading.restore,
  });
  const texts = chartTexts.value;
  return (
    <section class="chart" aria-label={chart.title} data-chart={chart.key}>
      <header class="chart-header">
        <h2>{chart.title}</h2>
        {chart.unit !== undefined && <span class="chart-unit">{chart.unit}</span>}
        <span class="chart-detail">{chart.detail}</span>
      </header>
      <ChartLegend chart={chart} positions={positions} line={reading.line} />
      <div
        ref={host}
        class="chart-plot"
        // A screen reader passes arrow keys on to an application.
        role="application"
        aria-roledescription={texts.role}
        tabIndex={0}
        aria-label={texts.chart(chart.title)}
        onPointerMove={({ pointerType }) => pointerType === 'mouse' && reading.leave()}
        onKeyDown={(event) => {
          if (!reading.press(event)) return;
          event.preventDefault();
          event.stopPropagation();
        }}
      />
      <p class="visually-hidden" role="status">
        {reading.text}
      </p>
      <div class="chart-end">
        <ChartNumbers tables={chart.tables} />
        <p class="chart-hint chart-hint-mouse">{texts.hint}</p>
        <p class="chart-hint chart-hint-touch">{texts.touchHint}</p>
      </div>
    </section>
  );
}

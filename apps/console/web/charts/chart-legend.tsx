import { useEffect, useRef } from 'preact/hooks';
import { isDark } from '../theme/theme.ts';
import { seriesColor } from './chart-colors.ts';
import { bandText, exactText, timeText } from './point-text.ts';
import type { Chart, ChartSeries } from './chart.ts';

interface LegendProps {
  chart: Chart;
  /** The position of each series' value at the cursor. */
  positions: readonly (number | null)[];
  /** The series that is read alone. */
  line: number | undefined;
}

/** The names of the series, and their exact values at the cursor. */
export function ChartLegend({ chart, positions, line }: LegendProps) {
  const shown = positions.find((position) => position !== null);
  return (
    <div class="chart-legend">
      <ul>
        {chart.series.map((series, index) =>
          series.role === 'low' || series.role === 'high' ? null : (
            <li key={series.key} class={index === line ? 'is-read' : undefined}>
              <Swatch series={series} kind={chart.kind} />
              <span class="chart-label" title={series.label}>
                {series.label}
              </span>
              <Reading chart={chart} index={index} position={positions[index] ?? null} />
            </li>
          ),
        )}
      </ul>
      <p class="chart-time">{shown === undefined ? '' : timeText(chart, shown)}</p>
    </div>
  );
}

function Reading({
  chart,
  index,
  position,
}: {
  chart: Chart;
  index: number;
  position: number | null;
}) {
  if (position === null) return null;
  const { series, unit } = chart;
  const band = bandText(chart, index, position);
  return (
    <span class="chart-reading">
      {exactText(series[index]?.column[position])}
      {unit !== undefined && <span class="unit"> {unit}</span>}
      {band !== undefined && <span class="muted"> ({band})</span>}
    </span>
  );
}

function Swatch({ series, kind }: { series: ChartSeries; kind: Chart['kind'] }) {
  const element = useRef<HTMLSpanElement>(null);
  const color = seriesColor(series.color, isDark());
  useEffect(() => {
    element.current?.style.setProperty('--series', color);
  }, [color]);
  return <span ref={element} class={`swatch swatch-${kind} swatch-${series.role}`} />;
}

import { useEffect, useRef } from 'preact/hooks';
import { language } from '../i18n/language.ts';
import { isDark } from '../theme/theme.ts';
import { seriesColor } from './chart-colors.ts';
import { chartTexts } from './texts.ts';
import { fullTime } from './time-labels.ts';
import type { Chart, ChartSeries } from './chart.ts';

interface LegendProps {
  chart: Chart;
  /** The position of each series' value at the cursor. */
  positions: readonly (number | null)[];
}

/** The names of the series, and their exact values at the cursor. */
export function ChartLegend({ chart, positions }: LegendProps) {
  const shown = positions.find((position) => position !== null);
  return (
    <div class="chart-legend">
      <ul>
        {chart.series.map((series, index) =>
          series.role === 'low' || series.role === 'high' ? null : (
            <li key={series.key}>
              <Swatch series={series} kind={chart.kind} />
              <span class="chart-label" title={series.label}>
                {series.label}
              </span>
              <Reading chart={chart} index={index} position={positions[index] ?? null} />
            </li>
          ),
        )}
      </ul>
      <p class="chart-time" role="status">
        {shown === undefined ? '' : timeAt(chart, shown)}
      </p>
    </div>
  );
}

function timeAt({ times, buckets, timeZone }: Chart, position: number): string {
  const time = buckets?.[position]?.from ?? times[position];
  return time === undefined ? '' : fullTime(time, language.value, timeZone);
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
  const value = series[index]?.column[position];
  const [low, high] = [series[index + 1], series[index + 2]];
  const hasBand = low?.role === 'low' && high?.role === 'high';
  const [from, to] = [low?.column[position], high?.column[position]];
  return (
    <span class="chart-reading">
      {exact(value)}
      {unit !== undefined && <span class="unit"> {unit}</span>}
      {hasBand && typeof from === 'number' && typeof to === 'number' && (
        <span class="muted"> ({chartTexts.value.band(exact(from), exact(to))})</span>
      )}
    </span>
  );
}

/** All digits that the service has sent, as far as a double has them. */
function exact(value: number | null | undefined): string {
  return typeof value === 'number' ? String(value) : '–';
}

function Swatch({ series, kind }: { series: ChartSeries; kind: Chart['kind'] }) {
  const element = useRef<HTMLSpanElement>(null);
  const color = seriesColor(series.color, isDark());
  useEffect(() => {
    element.current?.style.setProperty('--series', color);
  }, [color]);
  return <span ref={element} class={`swatch swatch-${kind} swatch-${series.role}`} />;
}

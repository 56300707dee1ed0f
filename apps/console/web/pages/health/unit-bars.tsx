import { useSignal } from '@preact/signals';
import { formatTime } from '../../i18n/format.ts';
import { formatUnits } from './format-health.ts';
import { healthTexts } from './texts.ts';
import type { Units } from '../../../src/status/status-report.ts';

const minuteMs = 60_000;
/** Minutes of the chart; minutes before the first known one are empty. */
const columns = 60;
const columnWidth = 8;
const height = 96;

interface UnitBarsProps {
  minutes: readonly Units[];
  /** Of the first minute, ISO 8601. */
  since: string;
}

/** Read and write units of each minute as stacked bars; the numbers of one minute below. */
export function UnitBars({ minutes, since }: UnitBarsProps) {
  const texts = healthTexts.value;
  const chosen = useSignal<number | undefined>(undefined);
  const highest = Math.max(1, ...minutes.map(({ read, write }) => read + write));
  const index = Math.min(chosen.value ?? minutes.length - 1, minutes.length - 1);
  const first = columns - minutes.length;
  const choose = (next: number): void => {
    chosen.value = Math.min(Math.max(next, 0), minutes.length - 1);
  };
  const onKey = (event: KeyboardEvent): void => {
    const step = event.key === 'ArrowLeft' ? -1 : event.key === 'ArrowRight' ? 1 : 0;
    if (step === 0) return;
    event.preventDefault();
    choose(index + step);
  };
  const shown = textOf(minutes, since, index);
  return (
    <figure class="unit-bars">
      <div
        class="unit-bars-plot"
        role="slider"
        tabIndex={0}
        aria-label={`${texts.minutes}. ${texts.minutesHelp}`}
        aria-valuemin={1}
        aria-valuemax={minutes.length}
        aria-valuenow={index + 1}
        aria-valuetext={shown}
        onKeyDown={onKey}
        onPointerMove={(event) => {
          const { left, width } = event.currentTarget.getBoundingClientRect();
          choose(Math.floor(((event.clientX - left) / width) * columns) - first);
        }}
      >
        <span class="unit-bars-scale">{texts.highest(formatUnits(highest))}</span>
        <svg viewBox={`0 0 ${columns * columnWidth} ${height}`} preserveAspectRatio="none">
          {minutes.map((units, at) => (
            <Bar key={at} units={units} at={first + at} highest={highest} isChosen={at === index} />
          ))}
        </svg>
      </div>
      <figcaption>
        <span>{shown}</span>
        <span class="health-legend">
          <span class="health-legend-read">{texts.read}</span>
          <span class="health-legend-write">{texts.write}</span>
        </span>
      </figcaption>
    </figure>
  );
}

function textOf(minutes: readonly Units[], since: string, index: number): string {
  const { read = 0, write = 0 } = minutes[index] ?? {};
  const time = formatTime(new Date(Date.parse(since) + index * minuteMs));
  return healthTexts.value.minute(time, formatUnits(read), formatUnits(write));
}

interface BarProps {
  units: Units;
  /** Column, from 0. */
  at: number;
  highest: number;
  isChosen: boolean;
}

function Bar({ units: { read, write }, at, highest, isChosen }: BarProps) {
  const readHeight = (read / highest) * height;
  const writeHeight = (write / highest) * height;
  const x = at * columnWidth + 1;
  const width = columnWidth - 2;
  return (
    <g class={isChosen ? 'health-bar-chosen' : undefined}>
      <rect class="health-bar-back" x={x - 1} y={0} width={columnWidth} height={height} />
      <rect
        class="health-bar-write"
        x={x}
        y={height - writeHeight}
        width={width}
        height={writeHeight}
      />
      <rect
        class="health-bar-read"
        x={x}
        y={height - writeHeight - readHeight}
        width={width}
        height={readHeight}
      />
    </g>
  );
}

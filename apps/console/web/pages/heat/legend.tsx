import { useLayoutEffect, useRef } from 'preact/hooks';
import { formatPercent, formatUnits } from './heat-format.ts';
import { isDark } from '../../theme/theme.ts';
import { cssColour, domainOf, paletteOf, placeOf } from './palette.ts';
import { heatTexts } from './texts.ts';
import type { HeatGrid } from './heat-grid.ts';
import type { Measure } from './heat-row.ts';

const barWidth = 192;
const barHeight = 8;

/** The colours with their values, and the marks. */
export function Legend({ limits, measure }: { limits: HeatGrid['limits']; measure: Measure }) {
  const texts = heatTexts.value;
  const domain = domainOf(measure, limits);
  const middle = Math.sqrt(domain.low * domain.high);
  const unit = {
    load: '',
    reads: texts.perSecond,
    writes: texts.perSecond,
    throttles: texts.throttlesPerSecond,
  };
  const format = measure === 'load' ? formatPercent : (value: number) => formatUnits(round(value));
  return (
    <div class="heat-legend">
      <div class="heat-scale">
        <ColourBar />
        <div class="heat-scale-values">
          {[domain.low, middle, domain.high].map((value) => (
            <span key={placeOf(value, domain)}>{format(value)}</span>
          ))}
        </div>
      </div>
      <span class="muted">{measure === 'load' ? texts.ofLimit('%') : unit[measure]}</span>
      <span class="heat-legend-mark">
        <svg width="20" height="12" viewBox="0 0 20 12" aria-hidden="true">
          <path d="M.5.5h19v11H.5zM0 6 6 0M3 12 15 0M11 12l9-9" />
        </svg>
        {texts.throttled}
      </span>
      <span class="heat-legend-mark">
        <svg width="8" height="14" viewBox="0 0 8 14" aria-hidden="true">
          <path d="M4 0v14" stroke-dasharray="4 3" />
        </svg>
        {texts.reshard}
      </span>
    </div>
  );
}

function round(value: number): number {
  return Number(value.toPrecision(2));
}

function ColourBar() {
  const canvas = useRef<HTMLCanvasElement>(null);
  const theme = isDark() ? 'dark' : 'light';
  useLayoutEffect(() => {
    const context = canvas.current?.getContext('2d');
    if (!context) return;
    paletteOf(theme).forEach((colour, shade, { length }) => {
      context.fillStyle = cssColour(colour);
      context.fillRect((shade / length) * barWidth, 0, barWidth / length + 1, barHeight);
    });
  }, [theme]);
  return <canvas ref={canvas} width={barWidth} height={barHeight} aria-hidden="true" />;
}

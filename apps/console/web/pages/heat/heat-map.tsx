import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { isDark } from '../../theme/theme.ts';
import { cursorHandlers } from './cursor-handlers.ts';
import { drawMarks } from './draw-marks.ts';
import { markColours } from './marks.ts';
import { drawPictures, picturePlaces } from './draw-picture.ts';
import { geometryOf, ticksOf, xOf } from './map-geometry.ts';
import { formatClock, formatHour } from './heat-format.ts';
import { RowNames } from './row-names.tsx';
import { heatTexts } from './texts.ts';
import type { Signal } from '@preact/signals';
import type { HeatGrid } from './heat-grid.ts';
import type { HeatRow, Measure } from './heat-row.ts';
import type { Cursor } from './cursor.ts';
import type { MapGeometry } from './map-geometry.ts';

interface HeatMapProps {
  grid: HeatGrid;
  rows: readonly HeatRow[];
  measure: Measure;
  /** Whether the first rows are the hottest. */
  isByLoad: boolean;
  /** Id of the selected row. */
  selected: string | undefined;
  /** A signal, so that a move draws the marks only. */
  cursor: Signal<Cursor | undefined>;
  onSelect: (row: HeatRow) => void;
}

/**
 * Partition keys from top to bottom, time from left to right. Pointing, a finger and the arrow keys move the cursor,
 * which has the exact numbers; Enter or a click explains.
 */
export function HeatMap(props: HeatMapProps) {
  const { grid, rows, isByLoad, selected, cursor, onSelect } = props;
  const plot = useRef<HTMLDivElement>(null);
  const width = useWidth(plot);
  const geometry = geometryOf(grid.shown, { width, rows: rows.length, isByLoad });
  const { onKeyDown, onFocus, ...pointer } = cursorHandlers({
    ...{ rows, geometry, cursor, onSelect },
    box: () => plot.current?.getBoundingClientRect(),
  });
  return (
    <div
      class="heat-map"
      role="application"
      tabIndex={0}
      aria-label={heatTexts.value.mapLabel}
      aria-describedby="heat-readout"
      onKeyDown={onKeyDown}
      onFocus={onFocus}
    >
      <RowNames {...{ rows, geometry, selected, onSelect }} />
      <div class="heat-plot" ref={plot} style={{ height: `${geometry.height}px` }} {...pointer}>
        <Canvases {...props} geometry={geometry} />
      </div>
      <TimeAxis grid={grid} geometry={geometry} />
    </div>
  );
}

interface CanvasProps extends HeatMapProps {
  geometry: MapGeometry;
}

/** The tall rows, the low rows, and the marks of both. */
function Canvases(props: CanvasProps) {
  const { grid, rows, measure, geometry } = props;
  const tall = useRef<HTMLCanvasElement>(null);
  const low = useRef<HTMLCanvasElement>(null);
  const dark = isDark();
  useLayoutEffect(() => {
    if (tall.current === null || low.current === null || geometry.width === 0) return;
    const theme = dark ? 'dark' : 'light';
    const mark = markColours(low.current).line;
    drawPictures(
      { tall: tall.current, low: low.current },
      { grid, rows, measure, theme, geometry, mark },
    );
  });
  const style = picturePlaces(geometry);
  return (
    <>
      <canvas class="heat-picture" ref={tall} aria-hidden="true" style={style.tall} />
      <canvas class="heat-picture" ref={low} aria-hidden="true" style={style.low} />
      <Marks {...props} isDark={dark} />
    </>
  );
}

function Marks({ grid, rows, selected, cursor, geometry }: CanvasProps & { isDark: boolean }) {
  const canvas = useRef<HTMLCanvasElement>(null);
  const cell = cursor.value;
  useLayoutEffect(() => {
    if (canvas.current === null || geometry.width === 0) return;
    const at = rows.findIndex(({ id }) => id === selected);
    const colours = markColours(canvas.current);
    drawMarks(canvas.current, { grid, rows, geometry, colours, cursor: cell, selected: at });
  });
  return <canvas class="heat-marks" ref={canvas} aria-hidden="true" />;
}

function useWidth(element: { current: HTMLElement | null }): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const { current } = element;
    if (current === null) return;
    const observer = new ResizeObserver(() => setWidth(current.clientWidth));
    observer.observe(current);
    return () => observer.disconnect();
  }, [element]);
  return width;
}

const minTickWidth = 60;
/** Half the width of a label, which would leave the map at its ends. */
const tickMargin = 24;

function TimeAxis({ grid, geometry }: { grid: HeatGrid; geometry: MapGeometry }) {
  const ticks = geometry.width === 0 ? [] : ticksOf(grid, geometry, minTickWidth);
  const format = ticks.some((time) => time.getSeconds() > 0) ? formatClock : formatHour;
  return (
    <div class="heat-axis" aria-hidden="true">
      {ticks.map((time) => {
        const x = xOf(time.getTime() / grid.stepMs, geometry);
        if (x < tickMargin || x > geometry.width - tickMargin) return null;
        return (
          <span key={time.getTime()} style={{ left: `${x}px` }}>
            {format(time)}
          </span>
        );
      })}
    </div>
  );
}

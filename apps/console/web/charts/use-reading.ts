import { useRef, useState } from 'preact/hooks';
import { pointText } from './point-text.ts';
import { nearestPosition, readLines, stepPosition } from './read-points.ts';
import type { RefObject } from 'preact';
import type uPlot from 'uplot';
import type { Chart, TimeRange } from './chart.ts';
import type { ReadStep } from './read-points.ts';

/** Points that Shift and an arrow key pass. */
const longStep = 10;

/** Reading exact numbers without a mouse: by keys and by taps. */
export interface PointReading {
  /** The series that is read alone. */
  line: number | undefined;
  /** The point that was read last, for screen readers. */
  text: string;
  /** @returns whether the key has a meaning */
  press: (event: KeyboardEvent) => boolean;
  /** @param x in CSS pixels from the left edge of the plot */
  tap: (x: number) => void;
  /** Puts the cursor on its point again, after the plot was drawn again or moved. */
  restore: () => void;
  /** The mouse moves the cursor from now on. */
  leave: () => void;
}

interface ReadingOptions {
  chart: Chart;
  plot: RefObject<uPlot | null>;
  view: () => TimeRange;
}

export function useReading({ chart, plot, view }: ReadingOptions): PointReading {
  const [lineKey, setLineKey] = useState<string | undefined>(undefined);
  const [text, setText] = useState('');
  /** Of the point that is read: its position changes with the data. */
  const time = useRef<number | undefined>(undefined);
  const found = chart.series.findIndex(({ key }) => key === lineKey);
  const line = found === -1 ? undefined : found;
  const positionOf = (at: number | undefined, of = line) =>
    at === undefined ? undefined : nearestPosition(chart, at, { view: view(), line: of });
  const read = (position: number | undefined, of = line): void => {
    if (position === undefined) return;
    time.current = chart.times[position];
    placeCursor(plot.current, time.current);
    setText(pointText(chart, position, of));
  };
  const choose = (step: number): void => {
    const chosen = nextLine(readLines(chart.series), line, step);
    setLineKey(chosen === undefined ? undefined : chart.series[chosen]?.key);
    const label = chosen === undefined ? '' : (chart.series[chosen]?.label ?? '');
    if (time.current === undefined) setText(label);
    else read(positionOf(time.current, chosen), chosen);
  };
  const leave = (): void => void (time.current = undefined);
  const press = (event: KeyboardEvent): boolean => {
    if (event.ctrlKey || event.altKey || event.metaKey) return false;
    const step = stepOf(event);
    const lineStep = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (step !== undefined) {
      const position = positionOf(time.current);
      read(stepPosition(chart, { position, line, view: view() }, step));
    } else if (lineStep !== undefined) choose(lineStep);
    else if (event.key === 'Escape' && time.current !== undefined) {
      leave();
      hideCursor(plot.current);
      setText('');
    } else return false;
    return true;
  };
  const tap = (x: number): void => {
    if (plot.current !== null) read(positionOf(plot.current.posToVal(x, 'x')));
  };
  const restore = (): void => {
    if (time.current === undefined) return;
    const { from, to } = view();
    const isShown = time.current >= from && time.current < to;
    const position = isShown ? positionOf(time.current) : undefined;
    if (position === undefined) hideCursor(plot.current);
    else placeCursor(plot.current, chart.times[position]);
  };
  return { line, text, press, tap, restore, leave };
}

function stepOf({ key, shiftKey }: KeyboardEvent): ReadStep | undefined {
  const count = shiftKey ? longStep : 1;
  const steps: Record<string, ReadStep> = {
    ArrowLeft: -count,
    ArrowRight: count,
    Home: 'first',
    End: 'last',
  };
  return steps[key];
}

/** All lines, then each alone, then all again. */
function nextLine(lines: readonly number[], line: number | undefined, step: number) {
  const choices = [undefined, ...lines];
  if (choices.length === 2) return undefined; // one line is all lines
  const next = choices.indexOf(line) + step;
  return choices[(next + choices.length) % choices.length];
}

function placeCursor(plot: uPlot | null, time: number | undefined): void {
  if (plot === null || time === undefined) return;
  plot.setCursor({ left: plot.valToPos(time, 'x'), top: plot.over.clientHeight / 4 });
}

function hideCursor(plot: uPlot | null): void {
  plot?.setCursor({ left: -10, top: -10 });
}

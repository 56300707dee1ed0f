import type { Chart, ChartSeries, TimeRange } from './chart.ts';

/** A number of points forwards or backwards, or an end of the chart. */
export type ReadStep = number | 'first' | 'last';

interface ReadContext {
  /** The range that is shown. */
  view: TimeRange;
  /** The series whose points are read. undefined: those of all lines. */
  line: number | undefined;
}

/** Positions of the series that are read: a band is read with its line. */
export function readLines(series: readonly ChartSeries[]): number[] {
  return series.flatMap(({ role }, index) => (role === 'low' || role === 'high' ? [] : [index]));
}

/** The next position with a number, as the arrow keys go. undefined where nothing is shown. */
export function stepPosition(
  chart: Chart,
  { position, ...context }: ReadContext & { position: number | undefined },
  step: ReadStep,
): number | undefined {
  const positions = readablePositions(chart, context);
  const last = positions.length - 1;
  return positions[Math.min(last, Math.max(0, targetOf(positions, position, step)))];
}

function targetOf(positions: readonly number[], position: number | undefined, step: ReadStep) {
  if (step === 'first') return 0;
  if (step === 'last') return positions.length - 1;
  if (position === undefined) return step > 0 ? step - 1 : positions.length + step;
  const found = positions.findIndex((one) => one >= position);
  const next = found === -1 ? positions.length : found;
  // Between two points, the next one is a step away.
  return positions[next] === position || step < 0 ? next + step : next + step - 1;
}

/** The position with a number that is nearest to a time. */
export function nearestPosition(
  chart: Chart,
  time: number,
  context: ReadContext,
): number | undefined {
  const distance = (position: number) => Math.abs((chart.times[position] ?? Infinity) - time);
  let nearest: number | undefined;
  for (const position of readablePositions(chart, context)) {
    if (nearest === undefined || distance(position) < distance(nearest)) nearest = position;
  }
  return nearest;
}

function readablePositions({ times, series }: Chart, { view, line }: ReadContext): number[] {
  const lines = line === undefined ? readLines(series) : [line];
  const columns = lines.map((index) => series[index]?.column ?? []);
  const positions: number[] = [];
  for (const [position, time] of times.entries()) {
    if (time < view.from || time >= view.to) continue;
    if (columns.some((column) => typeof column[position] === 'number')) positions.push(position);
  }
  return positions;
}

import type { Points } from './points.ts';

/** The form of uPlot: null interrupts a line, undefined does not. */
export type Column = (number | null | undefined)[];

/** A device that misses this many reports is drawn with a gap. */
const maxMissed = 4;

/** The median distance of neighbours in milliseconds; undefined for less than two points. */
export function usualStep({ times, length }: Points): number | undefined {
  if (length < 2) return undefined;
  // A sample is enough for a median, and sorting a million steps is not.
  const stride = Math.max(1, Math.floor(length / 1000));
  const steps: number[] = [];
  for (let index = 1; index < length; index += stride) {
    steps.push((times[index] ?? 0) - (times[index - 1] ?? 0));
  }
  steps.sort((one, other) => one - other);
  return steps[Math.floor(steps.length / 2)];
}

interface JoinedSeries {
  points: Points;
  /** Milliseconds between two points beyond which the line is interrupted. */
  maxStepMs: number;
}

/** The distance beyond which a line is interrupted. @param atLeastMs such as the width of two pixels */
export function maxStepOf(points: Points, atLeastMs: number): number {
  return Math.max(atLeastMs, (usualStep(points) ?? Infinity) * maxMissed);
}

/** Brings several series to common times, as uPlot needs them. */
export function joinPoints(series: readonly JoinedSeries[]): {
  times: number[];
  columns: Column[];
} {
  const all = new Set<number>();
  for (const { points, maxStepMs } of series) {
    for (let index = 0; index < points.length; index += 1) {
      const time = points.times[index] ?? 0;
      all.add(time);
      const next = points.times[index + 1];
      if (index + 1 < points.length && next !== undefined && next - time > maxStepMs) {
        all.add(gapTime(time, next));
      }
    }
  }
  const times = [...all].sort((one, other) => one - other);
  const positions = new Map(times.map((time, index) => [time, index]));
  return { times, columns: series.map((one) => columnOf(one, positions)) };
}

/** In the middle of a gap is a time without a value. */
function gapTime(time: number, next: number): number {
  return (time + next) / 2;
}

function columnOf({ points, maxStepMs }: JoinedSeries, positions: ReadonlyMap<number, number>) {
  const column: Column = Array<undefined>(positions.size).fill(undefined);
  for (let index = 0; index < points.length; index += 1) {
    const time = points.times[index] ?? 0;
    const next = points.times[index + 1];
    column[positions.get(time) ?? 0] = points.values[index];
    if (index + 1 < points.length && next !== undefined && next - time > maxStepMs) {
      const position = positions.get(gapTime(time, next)) ?? 0;
      column[position] ??= null;
    }
  }
  return column;
}

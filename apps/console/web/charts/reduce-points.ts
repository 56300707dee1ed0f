import { PointBuffer } from './points.ts';
import type { Points } from './points.ts';
import type { Slices } from './slices.ts';

/** The plot: a range of time, and how many pixel columns it has. */
export interface PixelGrid {
  /** Epoch milliseconds. */
  from: number;
  /** Exclusive. */
  to: number;
  columns: number;
}

/** Points between two looks at the clock: about a millisecond on a slow phone. */
const pointsPerSlice = 32_768;

/**
 * Reduces points to at most two per pixel column: the lowest and the highest, in order of time, each with its own
 * time. A line through them has the same pixels as a line through all points, but for its slope within a column.
 * Rests between slices, so that a million points are no long task.
 */
export async function reducePoints(
  points: Points,
  grid: PixelGrid,
  slices: Slices,
): Promise<PointBuffer> {
  const reducer = new PointReducer(points, grid);
  while (reducer.reduce(pointsPerSlice)) await slices.rest();
  return reducer.reduced;
}

/** Keeps its loop plain: it runs a million times before it is compiled. */
class PointReducer {
  readonly reduced = new PointBuffer();
  readonly #points: Points;
  readonly #grid: PixelGrid;
  readonly #end: number;
  #next: number;
  /** Positions of the extremes of the current column; -1 without any. */
  #lowest = -1;
  #highest = -1;
  /** Where the current column ends, in epoch milliseconds. */
  #columnEnd = -Infinity;

  constructor(points: Points, grid: PixelGrid) {
    this.#points = points;
    this.#grid = grid;
    this.#next = firstAt(points, grid.from);
    this.#end = firstAt(points, grid.to);
  }

  /** Goes on with so many points. @returns whether points are left */
  reduce(count: number): boolean {
    const { times, values } = this.#points;
    const end = Math.min(this.#end, this.#next + count);
    let [lowest, highest, columnEnd] = [this.#lowest, this.#highest, this.#columnEnd];
    let low = lowest < 0 ? Infinity : valueAt(values, lowest);
    let high = highest < 0 ? -Infinity : valueAt(values, highest);
    for (let index = this.#next; index < end; index += 1) {
      const time = valueAt(times, index);
      const value = valueAt(values, index);
      if (time >= columnEnd) {
        this.#keep(lowest, highest);
        lowest = highest = -1;
        low = Infinity;
        high = -Infinity;
        columnEnd = this.#endOfColumnAt(time);
      }
      // A missing value is NaN, which is neither lower nor higher.
      if (value < low) {
        low = value;
        lowest = index;
      }
      if (value > high) {
        high = value;
        highest = index;
      }
    }
    this.#next = end;
    [this.#lowest, this.#highest, this.#columnEnd] = [lowest, highest, columnEnd];
    if (end === this.#end) this.#keep(lowest, highest);
    return end < this.#end;
  }

  #endOfColumnAt(time: number): number {
    const { from, to, columns } = this.#grid;
    const columnMs = (to - from) / columns;
    return from + (Math.floor((time - from) / columnMs) + 1) * columnMs;
  }

  #keep(lowest: number, highest: number): void {
    if (lowest < 0) return;
    const { times, values } = this.#points;
    const first = Math.min(lowest, highest);
    const second = Math.max(lowest, highest);
    this.reduced.add(valueAt(times, first), valueAt(values, first));
    if (second !== first) this.reduced.add(valueAt(times, second), valueAt(values, second));
  }
}

/** An element that exists. */
function valueAt(array: Float64Array, index: number): number {
  return array[index] ?? NaN;
}

/** The position of the first point at or after a time, by bisection. */
function firstAt({ times, length }: Points, time: number): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (valueAt(times, middle) < time) low = middle + 1;
    else high = middle;
  }
  return low;
}

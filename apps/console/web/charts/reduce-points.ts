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
 * Reduces points to at most two per pixel column: the lowest and the highest, in order of time, each with its own time.
 * A line through them has the same pixels as a line through all points, but for its slope within a column. Rests between
 * slices, so that a million points are no long task.
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

class PointReducer {
  readonly reduced = new PointBuffer();
  readonly #points: Points;
  readonly #grid: PixelGrid;
  #next = 0;
  #column = -1;
  /** Positions of the extremes of the current column; -1 without any. */
  #lowest = -1;
  #highest = -1;

  constructor(points: Points, grid: PixelGrid) {
    this.#points = points;
    this.#grid = grid;
  }

  /** Goes on with so many points. @returns whether points are left */
  reduce(count: number): boolean {
    const { times, values, length } = this.#points;
    const { from, to, columns } = this.#grid;
    const columnsPerMs = columns / (to - from);
    const end = Math.min(length, this.#next + count);
    for (let index = this.#next; index < end; index += 1) {
      const time = times[index] ?? NaN;
      const value = values[index] ?? NaN;
      if (time < from || time >= to || Number.isNaN(value)) continue;
      const column = Math.floor((time - from) * columnsPerMs);
      if (column !== this.#column) {
        this.#flush();
        this.#column = column;
        this.#lowest = this.#highest = index;
      } else if (value < (values[this.#lowest] ?? NaN)) this.#lowest = index;
      else if (value > (values[this.#highest] ?? NaN)) this.#highest = index;
    }
    this.#next = end;
    if (end === length) this.#flush();
    return end < length;
  }

  #flush(): void {
    if (this.#lowest < 0) return;
    const first = Math.min(this.#lowest, this.#highest);
    const second = Math.max(this.#lowest, this.#highest);
    this.#keep(first);
    if (second !== first) this.#keep(second);
    this.#lowest = this.#highest = -1;
  }

  #keep(index: number): void {
    const { times, values } = this.#points;
    this.reduced.add(times[index] ?? NaN, values[index] ?? NaN);
  }
}

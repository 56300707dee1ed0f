import type { HeatGrid } from './heat-grid.ts';
import type { HeatRow } from './heat-row.ts';

export interface ThrottledKey {
  row: HeatRow;
  /** The first and the last throttled column of the window. */
  first: number;
  last: number;
}

/** The rows with throttles, the latest ones first. */
export function throttledKeys({ rows, first, columns }: HeatGrid): ThrottledKey[] {
  const columnOf = (cell: number): number =>
    first + ((((cell - first) % columns) + columns) % columns);
  return rows
    .filter(({ throttled }) => throttled.length > 0)
    .map((row) => {
      let [low, high] = [Infinity, -Infinity];
      for (const column of row.throttled.map(columnOf)) {
        low = Math.min(low, column);
        high = Math.max(high, column);
      }
      return { row, first: low, last: high };
    })
    .sort((a, b) => b.last - a.last || b.row.total.throttles - a.row.total.throttles);
}

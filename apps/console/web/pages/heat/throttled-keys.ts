import type { HeatGrid, HeatRow } from './heat-grid.ts';

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
      const all = row.throttled.map(columnOf);
      const ends = all.reduce(
        ([low, high], column) => [Math.min(low, column), Math.max(high, column)] as const,
        [Infinity, -Infinity] as const,
      );
      return { row, first: ends[0], last: ends[1] };
    })
    .sort((a, b) => b.last - a.last || b.row.total.throttles - a.row.total.throttles);
}

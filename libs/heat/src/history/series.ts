import { invariant } from '@engawa/errors';
import type { Series, SeriesRun } from './history-report.ts';

/** Columns with the value 0 that a run may contain: a new run takes more characters. */
const maxGap = 8;

/** Decimal places of a value: half of the last one is far below a unit. */
const precision = 1000;

/** Builds a series from values in the order of their columns. */
export class SeriesBuilder {
  readonly series: Series = [];

  add(column: number, value: number): void {
    const rounded = Math.round(value * precision) / precision;
    if (rounded === 0) return;
    const run = this.series.at(-1);
    if (run === undefined || column - endOf(run) > maxGap) {
      this.series.push({ first: column, values: [rounded] });
      return;
    }
    while (endOf(run) < column) run.values.push(0);
    run.values.push(rounded);
  }
}

function endOf({ first, values }: SeriesRun): number {
  return first + values.length;
}

/** A series and the column of the sum in which its first column is. */
export interface ShiftedSeries {
  series: Series;
  shift: number;
}

/** The sum of several series; columns outside the sum are dropped. */
export function sumSeries(parts: readonly ShiftedSeries[], columns: number): Series {
  const sums = new Float64Array(columns);
  for (const { series, shift } of parts) {
    for (const { first, values } of series) {
      values.forEach((value, place) => {
        const column = first + place + shift;
        if (column >= 0 && column < columns)
          sums[column] = invariant(sums[column], 'the column is within the sum') + value;
      });
    }
  }
  const builder = new SeriesBuilder();
  sums.forEach((sum, column) => builder.add(column, sum));
  return builder.series;
}

export function maxOf(series: Series): number {
  return series.reduce(
    (max, { values }) => values.reduce((highest, value) => Math.max(highest, value), max),
    0,
  );
}

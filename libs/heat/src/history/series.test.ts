import fc from 'fast-check';
import { maxOf, SeriesBuilder, sumSeries } from './series.ts';
import type { Series } from './history-report.ts';

function seriesOf(values: readonly number[]): Series {
  const builder = new SeriesBuilder();
  values.forEach((value, column) => builder.add(column, value));
  return builder.series;
}

function valuesOf(series: Series, columns: number): number[] {
  const values = new Array<number>(columns).fill(0);
  for (const run of series) run.values.forEach((value, at) => (values[run.first + at] = value));
  return values;
}

/** Mostly zeros, as most keys are idle most of the time. */
const sparse = fc.array(
  fc.oneof(
    { weight: 8, arbitrary: fc.constant(0) },
    { weight: 2, arbitrary: fc.integer({ min: 1, max: 4000 }).map((halves) => halves / 2) },
  ),
  { minLength: 60, maxLength: 60 },
);

it('has the values of all columns', () => {
  fc.assert(
    fc.property(sparse, (values) => {
      const series = seriesOf(values);
      expect(valuesOf(series, 60)).toEqual(values);
      expect(maxOf(series)).toBe(Math.max(...values));
      for (const { values } of series) expect(values[0] === 0 || values.at(-1) === 0).toBe(false);
    }),
  );
});

it('has a new run where more than eight columns are 0', () => {
  expect(seriesOf([1, 0, 0, 0, 0, 0, 0, 0, 0, 2])).toHaveLength(1);
  expect(seriesOf([1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 2])).toEqual([
    { first: 0, values: [1] },
    { first: 10, values: [2] },
  ]);
});

it('is summed by columns, where series begin in different columns', () => {
  fc.assert(
    fc.property(sparse, sparse, fc.integer({ min: -70, max: 70 }), (left, right, shift) => {
      const parts = [
        { series: seriesOf(left), shift: 0 },
        { series: seriesOf(right), shift },
      ];
      const expected = left.map((value, column) => value + (right[column - shift] ?? 0));
      expect(valuesOf(sumSeries(parts, 60), 60)).toEqual(expected);
    }),
  );
});

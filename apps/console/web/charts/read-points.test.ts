import { nearestPosition, readLines, stepPosition } from './read-points.ts';
import type { Chart, ChartSeries } from './chart.ts';

const series = (role: ChartSeries['role'], column: ChartSeries['column']): ChartSeries => {
  return { key: role, label: role, role, color: 0, column };
};

const chart: Chart = {
  key: 'chart',
  kind: 'lines',
  title: 'Chart',
  unit: undefined,
  detail: '',
  range: { from: 0, to: 60 },
  timeZone: 'UTC',
  times: [0, 10, 20, 30, 40, 50],
  series: [
    series('value', [1, undefined, 3, null, undefined, 6]),
    series('low', [0, 0, 0, 0, 0, 0]),
    series('previous', [undefined, 2, undefined, null, 5, undefined]),
  ],
  tables: [],
};
const all = { view: chart.range, line: undefined };

test('arrow keys go from point to point, and skip gaps', () => {
  const visited = [undefined, 0, 1, 2, 4, 5].map((position) =>
    stepPosition(chart, { ...all, position }, 1),
  );
  expect(visited).toEqual([0, 1, 2, 4, 5, 5]);
  const backwards = [undefined, 5, 4, 2, 0].map((position) =>
    stepPosition(chart, { ...all, position }, -1),
  );
  expect(backwards).toEqual([5, 4, 2, 1, 0]);
});

test('from a gap, the next point is one step away', () => {
  expect(stepPosition(chart, { ...all, position: 3 }, 1)).toBe(4);
  expect(stepPosition(chart, { ...all, position: 3 }, -1)).toBe(2);
});

test('a chosen line is read alone', () => {
  expect(stepPosition(chart, { ...all, line: 2, position: 1 }, 1)).toBe(4);
  expect(stepPosition(chart, { ...all, line: 2, position: 1 }, 10)).toBe(4);
});

test('Home and End are the ends of the range that is shown', () => {
  const zoomed = { ...all, view: { from: 10, to: 45 }, position: undefined };
  expect(stepPosition(chart, zoomed, 'first')).toBe(1);
  expect(stepPosition(chart, zoomed, 'last')).toBe(4);
  expect(stepPosition(chart, { ...zoomed, view: { from: 70, to: 80 } }, 'last')).toBeUndefined();
});

test('a tap reads the nearest point', () => {
  expect(nearestPosition(chart, 33, all)).toBe(4);
  expect(nearestPosition(chart, 33, { ...all, line: 0 })).toBe(2);
});

test('bands are no lines of their own', () => {
  expect(readLines(chart.series)).toEqual([0, 2]);
});

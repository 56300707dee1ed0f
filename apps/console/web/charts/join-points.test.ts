import { joinPoints, maxStepOf, usualStep } from './join-points.ts';
import { pointsOf } from './points.ts';

test('series get common times, and lines go on over times of other series', () => {
  const one = pointsOf([
    [0, 1],
    [20, 2],
  ]);
  const other = pointsOf([[10, 7]]);
  const joined = joinPoints([
    { points: one, maxStepMs: 100 },
    { points: other, maxStepMs: 100 },
  ]);
  expect(joined).toEqual({
    times: [0, 10, 20],
    columns: [
      [1, undefined, 2],
      [undefined, 7, undefined],
    ],
  });
});

test('a line is interrupted where reports are missing', () => {
  const points = pointsOf([
    [0, 1],
    [10, 2],
    [100, 3],
    [110, 4],
  ]);
  const maxStepMs = maxStepOf(points, 0);
  expect(maxStepMs).toBe(40);
  expect(joinPoints([{ points, maxStepMs }])).toEqual({
    times: [0, 10, 55, 100, 110],
    columns: [[1, 2, null, 3, 4]],
  });
});

test('a value of another series in a gap does not end the gap', () => {
  const points = pointsOf([
    [0, 1],
    [100, 3],
  ]);
  const joined = joinPoints([
    { points, maxStepMs: 40 },
    { points: pointsOf([[50, 8]]), maxStepMs: 40 },
  ]);
  expect(joined.columns).toEqual([
    [1, null, 3],
    [undefined, 8, undefined],
  ]);
});

test('the usual step is a median', () => {
  expect(usualStep(pointsOf([]))).toBeUndefined();
  expect(usualStep(pointsOf([[1, 1]]))).toBeUndefined();
  const points = pointsOf([
    [0, 0],
    [60, 0],
    [120, 0],
    [5000, 0],
  ]);
  expect(usualStep(points)).toBe(60);
});

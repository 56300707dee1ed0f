import { PointBuffer, pointsOf } from './points.ts';
import { reducePoints } from './reduce-points.ts';
import { Slices } from './slices.ts';
import type { Points } from './points.ts';
import type { PixelGrid } from './reduce-points.ts';

const slices = (): Slices => new Slices({ now: () => 0 });

/** Lowest and highest value of each column, computed in the obvious way. */
function extremes(points: Points, { from, to, columns }: PixelGrid) {
  const found = new Map<number, { low: number; high: number }>();
  for (let index = 0; index < points.length; index += 1) {
    const time = points.times[index] ?? 0;
    const value = points.values[index] ?? 0;
    if (time < from || time >= to || Number.isNaN(value)) continue;
    const column = Math.floor((time - from) / ((to - from) / columns));
    const { low, high } = found.get(column) ?? { low: Infinity, high: -Infinity };
    found.set(column, { low: Math.min(low, value), high: Math.max(high, value) });
  }
  return found;
}

/** A reproducible sequence (Lehmer, MINSTD). */
function numbers(seed: number): () => number {
  let state = seed;
  return () => (state = (state * 48_271) % 2_147_483_647) / 2_147_483_647;
}

test.each([1, 2, 3, 4, 5])('the extremes of each column stay, with seed %i', async (seed) => {
  const random = numbers(seed * 7919);
  const points = new PointBuffer();
  let time = 0;
  for (let count = 0; count < 100_000; count += 1) {
    time += Math.floor(random() ** 4 * 1000);
    points.add(time, random() < 0.01 ? NaN : Math.round((random() - 0.5) * 1e6) / 100);
  }
  const grid = { from: time * 0.1, to: time * 0.9, columns: 700 };
  const reduced = await reducePoints(points, grid, slices());
  expect(extremes(reduced, grid)).toEqual(extremes(points, grid));
  expect(reduced.length).toBeLessThanOrEqual(2 * grid.columns);
  const times = [...reduced.times.subarray(0, reduced.length)];
  expect(times).toEqual(times.toSorted((one, other) => one - other));
});

test('points that are further apart than columns all stay', async () => {
  const points = pointsOf([
    [0, 5],
    [10, -3],
    [20, 4],
  ]);
  const reduced = await reducePoints(points, { from: 0, to: 30, columns: 30 }, slices());
  expect([...reduced.values.subarray(0, reduced.length)]).toEqual([5, -3, 4]);
});

test('a column keeps the order of its extremes, and their times', async () => {
  const points = pointsOf([
    [0, 1],
    [1, 9],
    [2, 0],
    [3, 5],
  ]);
  const reduced = await reducePoints(points, { from: 0, to: 10, columns: 1 }, slices());
  expect([...reduced.times.subarray(0, reduced.length)]).toEqual([1, 2]);
  expect([...reduced.values.subarray(0, reduced.length)]).toEqual([9, 0]);
});

test('rests after each slice that has taken long, and stops when aborted', async () => {
  const points = new PointBuffer();
  for (let time = 0; time < 200_000; time += 1) points.add(time, time);
  const grid = { from: 0, to: 200_000, columns: 100 };
  let clock = 0;
  let rests = 0;
  const yieldToBrowser = (): Promise<void> => {
    rests += 1;
    return Promise.resolve();
  };
  await reducePoints(points, grid, new Slices({ now: () => (clock += 10), yieldToBrowser }));
  expect(rests).toBe(6); // 200,000 points in slices of 32,768
  const signal = AbortSignal.abort(new Error('newer data'));
  const aborted = reducePoints(points, grid, new Slices({ now: () => 0, signal }));
  await expect(aborted).rejects.toThrow('newer data');
});

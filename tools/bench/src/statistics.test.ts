import { leastToMost, mean, median, quantile, slope, spread } from './statistics.ts';

it.each([
  [[3], 3],
  [[5, 1, 3], 3],
  [[4, 1, 3, 2], 2.5],
  [[10, 9, 100], 10],
])('the median of %j is %d', (values, middle) => {
  expect(median(values)).toBe(middle);
});

it('an empty list has no median, mean or quantile', () => {
  expect(() => median([])).toThrow(RangeError);
  expect(() => mean([])).toThrow(RangeError);
  expect(() => quantile([], 0.5)).toThrow(RangeError);
});

it('the slope is that of the least-squares line', () => {
  const line = [0, 1, 2, 5].map((x) => ({ x, y: 7 - 2 * x }));
  expect(slope(line)).toBeCloseTo(-2);
  const noisy = [
    { x: 0, y: 1 },
    { x: 1, y: 0 },
    { x: 2, y: 3 },
    { x: 3, y: 2 },
  ];
  expect(slope(noisy)).toBeCloseTo(0.6);
  expect(slope([{ x: 1, y: 1 }])).toBe(0);
});

it('shows the median with minimum and maximum, or the only value', () => {
  expect(spread([43, 40.84, 41.16], 1)).toBe('41.2 (40.8–43.0)');
  expect(spread([2], 2)).toBe('2.00');
});

it('the 99th percentile of 100 values is the largest, of 200 values the second largest', () => {
  const values = Array.from({ length: 200 }, (_, index) => 200 - index);
  expect(quantile(values.slice(100), 0.99)).toBe(100);
  expect(quantile(values, 0.99)).toBe(199);
  expect(quantile([7], 0.99)).toBe(7);
});

it('shows a constant count once', () => {
  expect(leastToMost([1, 1])).toBe('1');
  expect(leastToMost([2, 1, 1.5])).toBe('1–2');
});

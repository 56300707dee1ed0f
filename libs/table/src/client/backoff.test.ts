import { backoff } from './backoff.ts';

it('is between zero and a ceiling that doubles up to five seconds', () => {
  const highest = () => 1;
  expect([1, 2, 3, 7, 8, 100].map((failures) => backoff(failures, highest))).toEqual([
    50, 100, 200, 3200, 5000, 5000,
  ]);
  expect(backoff(8, () => 0)).toBe(0);
});

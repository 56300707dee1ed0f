import { renewalDelay } from './renewal-delay.ts';

/** A browser fires timers above this one at once. */
const maxTimerMs = 2 ** 31 - 1;

it.each([
  [300_000, 240_000],
  [60_000, 30_000],
  [1000, 5000],
  [30 * 86_400_000, maxTimerMs],
  [Infinity, maxTimerMs],
  [0, undefined],
  [-1, undefined],
  [NaN, undefined],
])('a token of %d ms is renewed after %p', (expiresInMs, delay) => {
  expect(renewalDelay(expiresInMs)).toBe(delay);
});

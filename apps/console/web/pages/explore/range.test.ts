import { clamped, maxRangeMs, minRangeMs, panned, zoomed } from './range.ts';

const now = 10_000_000;

test('zoom keeps the middle', () => {
  expect(zoomed({ from: 0, to: 1_000_000 }, 0.5, now)).toEqual({ from: 250_000, to: 750_000 });
  expect(zoomed({ from: 1_000_000, to: 2_000_000 }, 2, now)).toEqual({
    from: 500_000,
    to: 2_500_000,
  });
});

test('no range reaches into the future', () => {
  expect(zoomed({ from: 9_000_000, to: now }, 2, now)).toEqual({ from: 8_000_000, to: now });
  expect(panned({ from: 9_000_000, to: now }, 0.5, now)).toEqual({ from: 9_000_000, to: now });
  expect(panned({ from: 9_000_000, to: now }, -0.5, now)).toEqual({
    from: 8_500_000,
    to: 9_500_000,
  });
});

test('a range is neither narrower nor wider than the service allows', () => {
  expect(clamped({ from: 20_000, to: 20_100 })).toEqual({
    from: 20_050 - minRangeMs / 2,
    to: 20_050 + minRangeMs / 2,
  });
  const { from, to } = clamped({ from: 0, to: 3 * maxRangeMs });
  expect(to - from).toBe(maxRangeMs);
  const wide = zoomed({ from: 0, to: maxRangeMs }, 2, maxRangeMs);
  expect(wide).toEqual({ from: 0, to: maxRangeMs });
});

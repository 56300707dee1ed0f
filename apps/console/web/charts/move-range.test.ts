import { moveRange } from './move-range.ts';

const limits = { minMs: 100, maxMs: 100_000, latest: 50_000 };
const range = { from: 10_000, to: 20_000 };

test('zooming keeps the time under the cursor', () => {
  const zoomed = moveRange(range, { anchor: 0.25, at: 0.25, factor: 0.5 }, limits);
  expect(zoomed).toEqual({ from: 11_250, to: 16_250 });
  expect(zoomed.from + (zoomed.to - zoomed.from) * 0.25).toBe(12_500);
});

test('panning moves the range against the hand', () => {
  const move = { anchor: 0.5, at: 0.75, factor: 1 };
  expect(moveRange(range, move, limits)).toEqual({ from: 7_500, to: 17_500 });
});

test('pinching moves and zooms at once: the time between the fingers stays there', () => {
  const move = { anchor: 0.5, at: 0.2, factor: 2 };
  expect(moveRange(range, move, limits)).toEqual({ from: 11_000, to: 31_000 });
});

test('at the shortest and the longest range, the time under the cursor stays', () => {
  const narrow = moveRange(range, { anchor: 0.5, at: 0.5, factor: 0.000_1 }, limits);
  expect(narrow).toEqual({ from: 14_950, to: 15_050 });
  const wide = moveRange(range, { anchor: 0, at: 0, factor: 100 }, { ...limits, latest: 1e9 });
  expect(wide).toEqual({ from: 10_000, to: 110_000 });
});

test('no range reaches beyond the latest time', () => {
  const move = { anchor: 0, at: -5, factor: 1 };
  expect(moveRange(range, move, limits)).toEqual({ from: 40_000, to: 50_000 });
});

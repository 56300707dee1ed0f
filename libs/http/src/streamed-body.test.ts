import { isTooSlow } from './streamed-body.ts';

describe('a body that is read as it comes', () => {
  it.each([
    ['begins late', 29_999, 0, false],
    ['does not begin', 30_001, 0, true],
    ['comes at 10 KB a second, for ten minutes', 600_000, 6_000_000, false],
    ['comes at 9 KB a second, for ten minutes', 600_000, 5_400_000, true],
    ['is large, and comes fast', 60_000, 1_000_000_000, false],
  ])('that %s is too slow or not', (_, waitedMs, bytes, isSlow) => {
    expect(isTooSlow({ waitedMs, bytes })).toBe(isSlow);
  });
});

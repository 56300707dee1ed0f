import { ArrivalRate } from './arrival-rate.ts';

it('covers the last seconds', () => {
  const rate = new ArrivalRate(1000);
  for (let now = 1000; now < 13_000; now += 100) rate.add(7, now);
  expect(rate.perSecond(13_000)).toBeCloseTo(70, 0);
  expect(rate.perSecond(17_000)).toBeLessThan(70);
  expect(rate.perSecond(30_000)).toBe(0);
});

it('forgets events before a pause', () => {
  const rate = new ArrivalRate(0);
  rate.add(50, 0);
  expect(rate.perSecond(9999)).toBeGreaterThan(0);
  const other = new ArrivalRate(0);
  other.add(50, 0);
  expect(other.perSecond(10_000)).toBe(0);
});

it('is low after the first few events', () => {
  const rate = new ArrivalRate(0);
  rate.add(50, 0);
  expect(rate.perSecond(1)).toBe(10);
});

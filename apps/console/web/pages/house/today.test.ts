import { todayAt } from './today.ts';

const hourMs = 3_600_000;

it('begins at midnight of the zone, with hours after the first ones', () => {
  const now = new Date(2026, 10, 26, 15, 20).getTime();
  const today = todayAt(now);
  expect(new Date(today.from)).toEqual(new Date(2026, 10, 26));
  expect(new Date(today.to)).toEqual(new Date(2026, 10, 26, 16));
  expect(today).toMatchObject({ every: 'PT1H', everyMs: hourMs, slots: 24 });
});

it('has buckets of ten minutes in the first hours', () => {
  const now = new Date(2026, 10, 26, 0, 20).getTime();
  expect(todayAt(now)).toMatchObject({
    to: new Date(2026, 10, 26, 0, 30).getTime(),
    every: 'PT10M',
    slots: 144,
  });
});

import { daysBefore, instantOf, localTimeOf } from './zoned-time.ts';

const iso = (instant: number | undefined): string => new Date(instant ?? NaN).toISOString();

test.each([
  ['2026-11-20T08:30', 'Asia/Tokyo', '2026-11-19T23:30:00.000Z'],
  ['2026-11-20T08:30', 'UTC', '2026-11-20T08:30:00.000Z'],
  ['2026-07-01T00:00', 'Europe/Berlin', '2026-06-30T22:00:00.000Z'],
  ['2026-12-31T23:45', 'Asia/Kathmandu', '2026-12-31T18:00:00.000Z'],
])('%s in %s is %s', (local, timeZone, instant) => {
  expect(iso(instantOf(local, timeZone))).toBe(instant);
  expect(localTimeOf(Date.parse(instant), timeZone)).toBe(local);
});

test('a skipped time has the offset before the change, and a repeated time is the first', () => {
  expect(iso(instantOf('2026-03-29T02:30', 'Europe/Berlin'))).toBe('2026-03-29T01:30:00.000Z');
  expect(iso(instantOf('2026-10-25T02:30', 'Europe/Berlin'))).toBe('2026-10-25T00:30:00.000Z');
});

test('a text that is no time has no instant', () => {
  expect(instantOf('', 'UTC')).toBeUndefined();
  expect(instantOf('tomorrow', 'UTC')).toBeUndefined();
});

test('the day before has the same local time, also where the clocks change', () => {
  const noon = Date.parse('2026-03-29T10:00:00.250Z'); // 12:00 in summer time
  expect(iso(daysBefore(noon, 1, 'Europe/Berlin'))).toBe('2026-03-28T11:00:00.250Z');
  expect(iso(daysBefore(noon, 7, 'UTC'))).toBe('2026-03-22T10:00:00.250Z');
});

import { zonedClock } from './zoned-clock.ts';

/** Long before the times of the tests. */
const early = Date.parse('2026-01-01T00:00:00Z');

const iso = (zone: string, text: string, receivedAt = early): string =>
  new Date(zonedClock(zone)(text, receivedAt) as number).toISOString();

describe('the clock of a time zone', () => {
  it.each([
    ['UTC', '2026-11-20T08:30:12', '2026-11-20T08:30:12.000Z'],
    ['Asia/Tokyo', '2026-11-20T08:30:12', '2026-11-19T23:30:12.000Z'],
    ['JST', '2026-11-20T08:30:12', '2026-11-19T23:30:12.000Z'],
    ['America/New_York', '2026-07-01T00:00:00.5', '2026-07-01T04:00:00.500Z'],
    ['Asia/Kathmandu', '2026-07-01T05:45:00', '2026-07-01T00:00:00.000Z'],
    // 02:00 to 03:00 is skipped: read with the offset before it.
    ['Europe/Berlin', '2026-03-29T01:59:59', '2026-03-29T00:59:59.000Z'],
    ['Europe/Berlin', '2026-03-29T02:30:00', '2026-03-29T01:30:00.000Z'],
    ['Europe/Berlin', '2026-03-29T03:00:00', '2026-03-29T01:00:00.000Z'],
    // 02:00 to 03:00 occurs twice.
    ['Europe/Berlin', '2026-10-25T02:30:00', '2026-10-25T00:30:00.000Z'],
    ['Europe/Berlin', '2026-10-25T03:00:00', '2026-10-25T02:00:00.000Z'],
    // The shift is half an hour.
    ['Australia/Lord_Howe', '2026-04-05T01:45:00', '2026-04-04T14:45:00.000Z'],
  ])('reads %s, %s, as %s', (zone, text, expected) => {
    expect(iso(zone, text)).toBe(expected);
  });

  it('reads a time that occurs twice as the occurrence nearest to the receipt', () => {
    const text = '2026-10-25T02:30:00';
    const [first, second] = ['2026-10-25T00:30:00.000Z', '2026-10-25T01:30:00.000Z'];
    const received = (time: string) => iso('Europe/Berlin', text, Date.parse(time));
    expect(received('2026-10-25T00:30:01Z')).toBe(first);
    expect(received('2026-10-25T01:30:01Z')).toBe(second);
    // The broker held the message.
    expect(received('2026-10-25T04:00:00Z')).toBe(second);
  });

  it('reads a time as before after it has read others', () => {
    const clock = zonedClock('Europe/Berlin');
    const times = ['2026-10-25T02:30:00', '2026-03-29T02:30:00', '2026-10-25T02:59:59'];
    const once = times.map((time) => clock(time, early));
    expect(times.map((time) => clock(time, early))).toEqual(once);
    expect(times.map((time) => zonedClock('Europe/Berlin')(time, early))).toEqual(once);
  });

  it.each([
    ['2026-11-20T08:30:12Z'],
    ['2026-11-20T08:30:12+09:00'],
    ['2026-02-30T08:30:12'],
    ['2026-13-01T00:00:00'],
    ['yesterday'],
    [''],
  ])('returns %j unchanged', (text) => {
    expect(zonedClock('Asia/Tokyo')(text, early)).toBe(text);
  });
});

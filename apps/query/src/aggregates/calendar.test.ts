import { bucketEdges, localTimes, widths } from './calendar.ts';
import type { BucketRequest } from './calendar.ts';

const hour = 3_600_000;

function edges(from: string, to: string, rest: Partial<BucketRequest>): string[] {
  const request = { every: 'P1D', timeZone: 'UTC', limit: 1000, ...rest } as const;
  return bucketEdges({ from: Date.parse(from), to: Date.parse(to), ...request }).map((edge) =>
    new Date(edge).toISOString().slice(0, 16),
  );
}

/** The length of each bucket in hours. */
function lengths(from: string, to: string, rest: Partial<BucketRequest>): number[] {
  const times = edges(from, to, rest).map((edge) => Date.parse(`${edge}Z`));
  return times.slice(1).map((edge, index) => (edge - (times[index] ?? 0)) / hour);
}

describe('the days of a time zone', () => {
  it('have 24 hours in Tokyo, from 15:00 UTC on', () => {
    const range = ['2026-03-27T15:00Z', '2026-03-30T15:00Z'] as const;
    expect(lengths(...range, { timeZone: 'Asia/Tokyo' })).toEqual([24, 24, 24]);
  });

  it('have 23 and 25 hours in London when the clocks change', () => {
    const timeZone = 'Europe/London';
    expect(lengths('2026-03-28T00:00Z', '2026-03-30T23:00Z', { timeZone })).toEqual([24, 23, 24]);
    expect(lengths('2026-10-23T23:00Z', '2026-10-27T00:00Z', { timeZone })).toEqual([24, 25, 24]);
  });

  it('begin at half past in Kolkata', () => {
    expect(edges('2026-03-01T18:30Z', '2026-03-03T18:30Z', { timeZone: 'Asia/Kolkata' })).toEqual([
      '2026-03-01T18:30',
      '2026-03-02T18:30',
      '2026-03-03T18:30',
    ]);
  });
});

describe('the hours of a time zone', () => {
  it.each([
    ['Europe/London', '2026-03-29T00:00Z', '2026-03-29T23:00Z', 23],
    ['Europe/London', '2026-10-24T23:00Z', '2026-10-26T00:00Z', 25],
    ['Asia/Kolkata', '2026-03-28T18:30Z', '2026-03-29T18:30Z', 24],
  ])('of a day in %s from %s', (timeZone, from, to, count) => {
    expect(lengths(from, to, { timeZone, every: 'PT1H' })).toEqual(Array(count).fill(1));
  });

  it('are shorter where the clocks change by half an hour', () => {
    const request = { timeZone: 'Australia/Lord_Howe', every: 'PT1H' } as const;
    expect(lengths('2026-10-03T14:30Z', '2026-10-03T17:00Z', request)).toEqual([1, 0.5, 1]);
    expect(lengths('2026-04-04T14:00Z', '2026-04-04T16:30Z', request)).toEqual([1, 0.5, 1]);
  });

  it('are aligned to local time where a bucket has several', () => {
    const request = { timeZone: 'Europe/London', every: 'PT6H' } as const;
    expect(lengths('2026-03-29T00:00Z', '2026-03-29T23:00Z', request)).toEqual([5, 6, 6, 6]);
    expect(lengths('2026-10-24T23:00Z', '2026-10-26T00:00Z', request)).toEqual([7, 6, 6, 6]);
  });
});

describe('buckets', () => {
  it('begin on Mondays, on the first of the month and of the year', () => {
    expect(edges('2026-11-18T09:30Z', '2026-12-01T00:00Z', { every: 'P1W' })).toEqual([
      '2026-11-18T09:30',
      '2026-11-23T00:00',
      '2026-11-30T00:00',
      '2026-12-01T00:00',
    ]);
    expect(edges('2025-12-15T00:00Z', '2026-03-01T00:00Z', { every: 'P1M' }).slice(1)).toEqual([
      '2026-01-01T00:00',
      '2026-02-01T00:00',
      '2026-03-01T00:00',
    ]);
    expect(edges('2025-12-15T00:00Z', '2026-03-01T00:00Z', { every: 'P1Y' })[1]).toBe(
      '2026-01-01T00:00',
    );
  });

  it('begin at the next local time where the clocks skip a full hour', () => {
    const request = { every: 'PT3H', timeZone: 'Pacific/Chatham' } as const;
    // At 02:45 the clocks are set to 03:45.
    expect(edges('2026-09-26T11:15Z', '2026-09-26T16:15Z', request)).toEqual([
      '2026-09-26T11:15',
      '2026-09-26T14:00',
      '2026-09-26T16:15',
    ]);
  });

  it('are at most the limit, and none of an empty range', () => {
    expect(edges('2026-01-01T00:00Z', '2027-01-01T00:00Z', { limit: 3 })).toHaveLength(4);
    expect(edges('2026-01-01T00:00Z', '2026-01-01T00:00Z', {})).toEqual([]);
  });

  it.each(widths)('of %s are contiguous through every change of the clocks', (every) => {
    for (const timeZone of [
      'Europe/London',
      'Australia/Lord_Howe',
      'America/Sao_Paulo',
      'Asia/Kathmandu',
    ]) {
      for (const change of [
        '2018-02-17',
        '2018-11-03',
        '2026-03-28',
        '2026-04-04',
        '2026-10-03',
        '2026-10-24',
      ]) {
        const from = Date.parse(`${change}T12:00Z`);
        const times = bucketEdges({ from, to: from + 36 * hour, every, timeZone, limit: 130_000 });
        expect(times.at(-1)).toBe(from + 36 * hour);
        expect(times.every((time, index) => index === 0 || time > (times[index - 1] ?? 0))).toBe(
          true,
        );
      }
    }
  });
});

describe('a time zone', () => {
  it.each([
    ['Europe/London', '2026-07-01T01:00:00.000+01:00'],
    ['Asia/Kolkata', '2026-07-01T05:30:00.000+05:30'],
    ['America/St_Johns', '2026-06-30T21:30:00.000-02:30'],
    ['UTC', '2026-07-01T00:00:00.000+00:00'],
  ])('formats local time: %s', (timeZone, text) => {
    expect(localTimes(timeZone)(Date.parse('2026-07-01T00:00Z'))).toBe(text);
  });

  it('formats local time before and after a change of the clocks', () => {
    const tell = localTimes('Europe/London');
    expect(
      ['2026-03-29T00:59Z', '2026-03-29T01:00Z'].map(Date.parse).map((time) => tell(time)),
    ).toEqual(['2026-03-29T00:59:00.000+00:00', '2026-03-29T02:00:00.000+01:00']);
  });
});

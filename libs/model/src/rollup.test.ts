import { closedBuckets, invalidRollupItem, rollupGraceMs } from './rollup.ts';

const at = (text: string): number => Date.parse(text);
const hour = (text: string) => ({ width: 'PT1H', start: at(text) });
const day = (text: string) => ({ width: 'P1D', start: at(text) });

describe('the closed buckets', () => {
  it('are the hours and days whose grace period is over, each once', () => {
    const times = ['2026-11-19T23:59:59.999Z', '2026-11-20T00:00:00Z', '2026-11-20T00:30:00Z'];
    expect(closedBuckets(times.map(at), at('2026-11-20T05:00:00Z'))).toEqual([
      hour('2026-11-19T23:00:00Z'),
      hour('2026-11-20T00:00:00Z'),
      day('2026-11-19T00:00:00Z'),
    ]);
  });

  it('begin a minute before the end of the grace period, since clocks differ', () => {
    const end = at('2026-11-20T01:00:00Z');
    const closed = (now: number) => closedBuckets([end - 1], now);
    expect(closed(end + rollupGraceMs - 60_001)).toEqual([]);
    expect(closed(end + rollupGraceMs - 60_000)).toEqual([hour('2026-11-20T00:00:00Z')]);
  });

  it('are correct for times before 1970', () => {
    expect(closedBuckets([-1], 1e12)).toEqual([
      hour('1969-12-31T23:00:00Z'),
      day('1969-12-31T00:00:00Z'),
    ]);
  });
});

describe('an invalid rollup', () => {
  it('has a version and no values', () => {
    expect(invalidRollupItem('d', { width: 'PT1H', start: 0 }, 'v')).toEqual({
      pk: 'DEVICE#d',
      sk: '#AGG#PT1H#1970-01-01T00:00:00.000Z',
      version: 'v',
    });
  });
});

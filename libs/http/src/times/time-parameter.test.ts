import { timeParameter } from './time-parameter.ts';

describe('timeParameter', () => {
  it.each([
    ['2026-11-20T08:30:00+09:00', '2026-11-19T23:30:00.000Z'],
    ['2026-11-20T08:30:00 09:00', '2026-11-19T23:30:00.000Z'], // an unescaped + in a URL
    ['2026-11-19T18:30-05:00', '2026-11-19T23:30:00.000Z'],
    ['2026-11-19T23:30:00,25Z', '2026-11-19T23:30:00.250Z'],
    ['2026-11-19t23:30z', '2026-11-19T23:30:00.000Z'],
    ['1795131000', '2026-11-19T23:30:00.000Z'],
    ['1795131000.5', '2026-11-19T23:30:00.500Z'],
    ['1795131000000', '2026-11-19T23:30:00.000Z'],
    ['99999999999', '5138-11-16T09:46:39.000Z'],
    ['100000000000', '1973-03-03T09:46:40.000Z'],
    ['-86400', '1969-12-31T00:00:00.000Z'],
    ['0', '1970-01-01T00:00:00.000Z'],
  ])('reads %s', (text, expected) => {
    expect(new Date(Number(timeParameter.parse(text))).toISOString()).toBe(expected);
  });

  it.each([
    ['now', { afterNowMs: 0 }],
    ['now-15m', { afterNowMs: -900_000 }],
    ['now-7d', { afterNowMs: -604_800_000 }],
    ['now-1w', { afterNowMs: -604_800_000 }],
    ['now+30d', { afterNowMs: 2_592_000_000 }],
    ['now 1h', { afterNowMs: 3_600_000 }],
    ['2028-02-29', { date: '2028-02-29' }],
    ['2026-11-20T08:30', { local: '2026-11-20T08:30' }],
    ['2026-11-20T08:30:15.250', { local: '2026-11-20T08:30:15.250' }],
    ['2026-11-20 08:30', { local: '2026-11-20T08:30' }],
    ['2026-11-20t08:30:15,5', { local: '2026-11-20T08:30:15.5' }],
  ])('leaves %s for later resolution', (text, expected) => {
    expect(timeParameter.parse(text)).toEqual(expected);
  });

  it.each([
    '',
    'yesterday',
    '2026-02-30',
    'now+h',
    'now++1h',
    'now+1y',
    'now-1y',
    'now-h',
    'now-1234567890s',
    '2026-02-30T08:30',
    '2026-11-20T25:30',
    '2026-11-20T08',
    '2026-11-20T08:30:00[Europe/Berlin]',
    '2026-13-20T08:30:00Z',
    '0000-01-01T00:00+09:00',
    '1795131000000000',
    '1e9',
    '0x10',
    ' 1',
    'NaN',
  ])('refuses %j', (text) => {
    expect(timeParameter.safeParse(text).error?.issues[0]?.message).toMatch(
      /^must be a time: ISO 8601,/,
    );
  });
});

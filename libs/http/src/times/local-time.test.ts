import { isTimeZone, midnightOf, instantOf } from './local-time.ts';

const iso = (time: number) => new Date(time).toISOString().slice(0, 16);

describe('a date', () => {
  it.each([
    ['2026-11-20', 'UTC', '2026-11-20T00:00'],
    ['2026-11-20', 'Asia/Tokyo', '2026-11-19T15:00'],
    ['2026-03-29', 'Europe/Berlin', '2026-03-28T23:00'], // 23 hours
    ['2026-03-30', 'Europe/Berlin', '2026-03-29T22:00'],
    ['2026-10-25', 'Europe/Berlin', '2026-10-24T22:00'], // 25 hours
    ['2026-10-26', 'Europe/Berlin', '2026-10-25T23:00'],
    ['2018-11-04', 'America/Sao_Paulo', '2018-11-04T03:00'], // midnight does not exist
    ['2019-02-17', 'America/Sao_Paulo', '2019-02-17T03:00'], // 23:00 to 24:00 occurs twice on the previous day
    ['2011-12-30', 'Pacific/Apia', '2011-12-30T10:00'], // the day does not exist
  ])('%s in %s begins at %s', (date, timeZone, expected) => {
    expect(iso(midnightOf(date, timeZone))).toBe(expected);
  });
});

describe('a local time', () => {
  it.each([
    ['2026-11-20T08:30', 'Asia/Kolkata', '2026-11-20T03:00'],
    ['2026-03-29T01:59', 'Europe/Berlin', '2026-03-29T00:59'],
    ['2026-03-29T02:30', 'Europe/Berlin', '2026-03-29T01:30'], // skipped: read as 03:30
    ['2026-03-29T03:00', 'Europe/Berlin', '2026-03-29T01:00'],
    ['2026-10-25T02:30', 'Europe/Berlin', '2026-10-25T00:30'], // occurs twice: the first one
    ['2026-10-25T03:00', 'Europe/Berlin', '2026-10-25T02:00'],
    ['2026-04-05T01:45', 'Australia/Lord_Howe', '2026-04-04T14:45'], // half an hour occurs twice
  ])('%s in %s is %s', (local, timeZone, expected) => {
    expect(iso(instantOf(local, timeZone))).toBe(expected);
  });
});

it('a time zone is a name of the IANA database, or an alias', () => {
  for (const name of ['UTC', 'Asia/Tokyo', 'asia/tokyo', 'Etc/GMT+3']) {
    expect(isTimeZone(name)).toBe(true);
  }
  for (const name of ['', 'Asia', 'Mars/Olympus', '../etc', 'Asia/Tokyo#x', '＋09:00']) {
    expect(isTimeZone(name)).toBe(false);
  }
});

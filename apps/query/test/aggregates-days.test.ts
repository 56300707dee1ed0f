import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import {
  askAggregates,
  everyMinutes,
  hour,
  lengthsOf,
  plainSum,
  total,
  valuesOf,
} from './aggregates.ts';
import { packed, QueryFixture } from './query-fixture.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

const ofDevice = (id: string, parameters: Record<string, string>) =>
  askAggregates(fixture, id, parameters);

describe('the days of a time zone', () => {
  it.each([
    ['Asia/Tokyo', '2026-03-27T15:00:00Z', '2026-03-30T15:00:00Z', [24, 24, 24]],
    ['Europe/London', '2026-03-28T00:00:00Z', '2026-03-30T23:00:00Z', [24, 23, 24]],
    ['Europe/London', '2026-10-23T23:00:00Z', '2026-10-27T00:00:00Z', [24, 25, 24]],
    ['Asia/Kolkata', '2026-03-27T18:30:00Z', '2026-03-30T18:30:00Z', [24, 24, 24]],
    ['UTC', '2026-03-27T00:00:00Z', '2026-03-30T00:00:00Z', [24, 24, 24]],
  ])('of %s from %s add up to the whole range', async (timeZone, from, to, lengths) => {
    const id = randomUUID();
    const begin = new Date(Date.parse(from) - 30 * hour).toISOString();
    const end = new Date(Date.parse(to) + 30 * hour).toISOString();
    const readings = everyMinutes(10, begin, end);
    await fixture.place({ id, blocks: packed(readings) });
    const question = { from, to, timeZone, fn: 'sum,count,increase' };
    // The first time from the readings, then from the stored rollups.
    for (let time = 0; time < 2; time++) {
      const days = await ofDevice(id, { ...question, every: 'P1D' });
      expect(lengthsOf(days)).toEqual(lengths);
      expect(valuesOf(days, 'power', 'sum')).toEqual(
        days.items.map((day) => plainSum(readings, 'power', day)),
      );
      expect(valuesOf(days, 'power', 'count')).toEqual(lengths.map((hours) => hours * 6));
      expect(valuesOf(days, 'energy', 'increase')).toEqual(
        lengths.map((hours) => (hours * 6 * 37) / 1000),
      );
      const hours = await ofDevice(id, { ...question, every: 'PT1H' });
      expect(total(hours, 'power', 'sum')).toBe(plainSum(readings, 'power', { from, to }));
      expect(total(hours, 'energy', 'increase')).toBe(total(days, 'energy', 'increase'));
    }
  });

  it('begin at local midnight', async () => {
    const id = randomUUID();
    await fixture.place({ id });
    const { items: buckets } = await ofDevice(id, {
      from: '2026-03-28T12:00:00Z',
      to: '2026-03-30T12:00:00Z',
      every: 'P1D',
      timeZone: 'Europe/London',
    });
    expect(buckets.map(({ localFrom }) => localFrom)).toEqual([
      '2026-03-28T12:00:00.000+00:00',
      '2026-03-29T00:00:00.000+00:00',
      '2026-03-30T00:00:00.000+01:00',
    ]);
    expect(buckets.map(({ fields }) => fields)).toEqual([{}, {}, {}]);
  });
});

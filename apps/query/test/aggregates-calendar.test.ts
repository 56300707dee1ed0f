import { openBeforeAll } from '@engawa/testing';
import { askAggregates, hour } from './aggregates.ts';
import { packed, QueryFixture } from './query-fixture.ts';
import type { Buckets } from './aggregates.ts';

const fixture = openBeforeAll(() => QueryFixture.open());
const day = 24 * hour;
const [begin, end] = [Date.UTC(2022, 11, 1), Date.UTC(2023, 1, 1)];
const device = '/v1/devices/meter/aggregates';

beforeAll(async () => {
  // One a day, at noon, and ten a second apart.
  const daily = Array.from({ length: (end - begin) / day }, (_, index) => {
    return { time: begin + index * day + day / 2, fields: { power: 1 } };
  });
  const often = Array.from({ length: 10 }, (_, index) => {
    return { time: Date.UTC(2024, 0, 1) + index * 1000, fields: { power: index } };
  });
  await fixture.place({ id: 'meter', blocks: packed([...daily, ...often]) });
});

async function all(parameters: Record<string, string>): Promise<Buckets['items']> {
  const pages = await fixture.walkAll<Buckets>(device, { fn: 'count', ...parameters });
  return pages.flatMap(({ items }) => items);
}

const counts = (items: Buckets['items']) => items.map(({ fields }) => fields['power']?.['count']);

describe('the buckets of aggregates', () => {
  it('may be quarters', async () => {
    const items = await all({ from: '2022-12-20', to: '2023-01-10', every: 'P3M' });
    expect(items.map(({ from }) => from.slice(0, 10))).toEqual(['2022-12-20', '2023-01-01']);
    expect(counts(items)).toEqual([12, 9]);
  });

  it.each([
    ['sunday', ['2022-12-30', '2023-01-01', '2023-01-08'], [2, 7, 2]],
    ['monday', ['2022-12-30', '2023-01-02', '2023-01-09'], [3, 7, 1]],
  ])('may be weeks from %s', async (weekStart, starts, expected) => {
    const range = { from: '2022-12-30', to: '2023-01-10' };
    const items = await all({ ...range, every: 'P1W', weekStart });
    expect(items.map(({ from }) => from.slice(0, 10))).toEqual(starts);
    expect(counts(items)).toEqual(expected);
  });

  it('may be a second, or some', async () => {
    const range = { from: '2024-01-01T00:00:00Z', to: '2024-01-01T00:00:10Z' };
    expect(counts(await all({ ...range, every: 'PT1S' }))).toEqual(Array(10).fill(1));
    expect(counts(await all({ ...range, every: 'PT5S' }))).toEqual([5, 5]);
  });

  it('may be of several years, in pages', async () => {
    const range = { from: '2020-01-01', to: '2023-02-01' };
    expect(counts(await all({ ...range, every: 'P1Y' }))).toEqual([undefined, undefined, 31, 31]);
    const quarters = await all({ ...range, every: 'P3M', limit: '5' });
    expect(quarters).toHaveLength(13);
    expect(counts(quarters).slice(-2)).toEqual([31, 31]);
  });

  it('are as many as a chart has points, also for several years', async () => {
    const range = { from: '2020-01-01', to: '2023-02-01', fn: 'count' };
    const chart = await askAggregates(fixture, device, { ...range, maxPoints: '13' });
    expect(chart).toMatchObject({ every: 'P3M' });
    expect(chart.items).toHaveLength(13);
    const { status } = await fixture.ask(`${device}?from=2016-06-01&to=2023-01-01&maxPoints=3`);
    expect(status).toBe(400);
  });

  it('may not be of more than ten years', async () => {
    const { status } = await fixture.ask(`${device}?from=2010-01-01&to=2023-01-01&every=P1Y`);
    expect(status).toBe(400);
  });
});

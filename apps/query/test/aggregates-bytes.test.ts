import { aReading, openBeforeAll } from '@engawa/testing';
import { allBuckets, askAggregates, minute } from './aggregates.ts';
import { packed, QueryFixture } from './query-fixture.ts';
import type { Bucket, Buckets } from './aggregates.ts';

const maxBytes = 20_000;
/** The envelope of a page: its width and its cursor. */
const envelope = 1000;
const start = Date.parse('2026-11-01T00:00:00Z');
const minutes = 30;
const iso = (time: number) => new Date(time).toISOString();
const range = { from: iso(start), to: iso(start + minutes * minute) };
const names = Array.from({ length: 20 }, (_, index) => `field-${String(index).padStart(2, '0')}`);
const everyFunction =
  'count,sum,avg,min,max,first,last,increase,rate,timeWeightedMean,p50,p90,p95,p99';
const question = { ...range, every: 'PT1M', fn: everyFunction };
const place = '/v1/places/home/aggregates';

const fixture = openBeforeAll(() => QueryFixture.open({ RESPONSE_BYTE_LIMIT: String(maxBytes) }));
beforeAll(async () => {
  for (const device of ['a', 'b', 'c']) {
    // One reading in three minutes, so that filled values come from the pages around.
    const readings = Array.from({ length: minutes / 3 }, (_, index) =>
      aReading({
        time: start + (index * 3 + 1) * minute,
        fields: Object.fromEntries(names.map((name, n) => [name, (index * 37 + n) / 8])),
      }),
    );
    await fixture.place({ id: device, blocks: packed(readings) });
    await fixture.settle({ place: 'home', device, since: 0 });
  }
});

/** All pages, of which none exceeds the limit. */
async function boundedPages(of: string, asked: Record<string, string>): Promise<Bucket[][]> {
  const path = of.startsWith('/') ? of : `/v1/devices/${of}/aggregates`;
  const pages: Bucket[][] = [];
  let cursor: string | undefined;
  do {
    const search = new URLSearchParams({ ...asked, ...(cursor && { cursor }) }).toString();
    const { text } = await fixture.askPlainly(`${path}?${search}`);
    expect(Buffer.byteLength(text)).toBeLessThan(maxBytes + envelope);
    const page = JSON.parse(text) as Buckets;
    pages.push(page.items);
    ({ cursor } = page);
    expect(pages.length).toBeLessThan(200);
  } while (cursor !== undefined);
  return pages;
}

describe('a page of aggregates that would exceed RESPONSE_BYTE_LIMIT', () => {
  it.each([
    ['all fields', 'a', {}],
    ['requested fields', 'a', { fields: names.join(',') }],
    ['zeros filled in', 'a', { fields: names.join(','), fill: '0' }],
    ['previous values filled in', 'a', { fields: names.join(','), fill: 'previous' }],
    ['interpolated values', 'a', { fields: names.join(','), fill: 'linear' }],
    ['several devices', place, {}],
    ['groups', place, { groupBy: 'device' }],
    ['filled groups', place, { groupBy: 'device', fields: names.join(','), fill: 'linear' }],
  ])('ends earlier, and all pages have each bucket once: %s', async (_, of, more) => {
    const asked = { ...question, ...more };
    const pages = await boundedPages(of, { ...asked, limit: '1000' });
    const small = (await boundedPages(of, { ...asked, limit: '3' })).flat();
    expect(pages.length).toBeGreaterThan(2);
    expect(pages.flat()).toEqual(small);
    const groups = 'groupBy' in more ? 3 : 1;
    expect(small).toHaveLength(minutes * groups);
  });

  it('has at least one bucket, however large', async () => {
    const tiny = await QueryFixture.open({ RESPONSE_BYTE_LIMIT: '1000' });
    const fields = Object.fromEntries(names.map((name, n) => [name, n]));
    const readings = [0, 1, 2].map((n) => aReading({ time: start + n * minute, fields }));
    await tiny.place({ id: 'a', blocks: packed(readings) });
    const to = iso(start + 3 * minute);
    const page = await askAggregates(tiny, 'a', { ...question, to });
    expect(page.items).toHaveLength(1);
    expect(await allBuckets(tiny, 'a', { ...question, to })).toHaveLength(3);
    await tiny.close();
  });

  it('is as long as requested where it fits', async () => {
    const asked = { ...question, fn: 'avg', fields: names[0] ?? '', limit: '1000' };
    const page = await askAggregates(fixture, 'a', asked);
    expect(page.items).toHaveLength(minutes);
    expect(page.cursor).toBeUndefined();
  });
});

import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, everyMinutes, hour, plainSum } from './aggregates.ts';
import { packed, QueryFixture } from './query-fixture.ts';
import type { Buckets } from './aggregates.ts';

const day = 24 * hour;
const start = Date.parse('2026-10-01T00:00:00Z');
const iso = (time: number) => new Date(time).toISOString();

/** Units that one page may cost: less than the readings of a device take. */
const units = 10;
const devices = 6;
const days = 6;

const fixture = openBeforeAll(() => QueryFixture.open({ REQUEST_UNIT_LIMIT: String(units) }));

/** A place of devices that report every five minutes. */
async function building() {
  const place = randomUUID();
  const readings = everyMinutes(5, iso(start), iso(start + days * day));
  for (let index = 0; index < devices; index++) {
    const device = `${place} ${index}`;
    await fixture.place({ id: device, blocks: packed(readings) });
    await fixture.settle({ place, device, since: 0 });
  }
  return { path: `/v1/places/${place}/aggregates`, readings };
}

const range = { from: iso(start), to: iso(start + days * day) };
const question = { ...range, every: 'P1Y', fields: 'power', fn: 'sum,count' };

describe('a bucket that takes more than a page may cost', () => {
  it('is computed over several pages, each of which makes progress', async () => {
    const { path, readings } = await building();
    const costs: number[] = [];
    const pages: Buckets[] = [];
    let cursor: string | undefined;
    do {
      let page: Buckets = { items: [] };
      costs.push(
        await fixture.requestsOf('Query', async () => {
          page = await askAggregates(fixture, path, { ...question, ...(cursor && { cursor }) });
        }),
      );
      pages.push(page);
      ({ cursor } = page);
      expect(pages.length).toBeLessThan(100);
    } while (cursor !== undefined);
    expect(pages[0]?.items).toEqual([]);
    const buckets = pages.flatMap((page) => page.items);
    expect(buckets.map(({ fields }) => fields['power'])).toEqual([
      {
        count: devices * readings.length,
        sum: (Math.round(plainSum(readings, 'power', range) * 1000) * devices) / 1000,
      },
    ]);
    expect(costs.length).toBeGreaterThan(1);
  });

  it('is streamed as rows, too', async () => {
    const { path, readings } = await building();
    const search = new URLSearchParams(question).toString();
    const { status, text } = await fixture.askFor('application/x-ndjson', `${path}?${search}`);
    expect(status).toBe(200);
    const rows = text.trim().split('\n');
    expect(rows).toHaveLength(1);
    expect(JSON.parse(rows[0] ?? '')).toMatchObject({
      fields: { power: { count: devices * readings.length } },
    });
  });
});

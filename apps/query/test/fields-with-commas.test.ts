import { openBeforeAll } from '@engawa/testing';
import { askAggregates } from './aggregates.ts';
import { QueryFixture } from './query-fixture.ts';

const time = Date.UTC(2026, 10, 20, 9);
const range = { from: new Date(time).toISOString(), to: new Date(time + 3_600_000).toISOString() };
const values = { 'power, total': 1, 'say "on"': 2, '"quoted"': 3, plain: 4, power: 5 };

const fixture = openBeforeAll(() => QueryFixture.open());
beforeAll(() => fixture.place({ id: 'names', blocks: [[{ time, fields: values }]] }));

/** As a field of CSV (RFC 4180). */
const quoted = (name: string) => `"${name.replaceAll('"', '""')}"`;

describe('fields whose names have commas and quotes', () => {
  it.each(Object.keys(values))('are selected in quotes: %s', async (name) => {
    const fields = quoted(name);
    const [page] = await fixture.walk('names', { ...range, fields });
    expect(page?.items.map((reading) => Object.keys(reading.fields))).toEqual([[name]]);
    const { items: buckets } = await askAggregates(fixture, 'names', {
      ...range,
      fields,
      fn: 'count',
    });
    expect(buckets.map((bucket) => bucket.fields)).toEqual([{ [name]: { count: 1 } }]);
  });

  it('are selected beside others, which need no quotes', async () => {
    const fields = `plain,${quoted('power, total')},say "on"`;
    const [page] = await fixture.walk('names', { ...range, fields });
    expect(page?.items[0]?.fields).toEqual({ plain: 4, 'power, total': 1, 'say "on"': 2 });
  });

  it.each(['"', '"a', '"a"b', 'a,"', '"a",'])('are refused half quoted: %s', async (fields) => {
    const search = new URLSearchParams({ fields }).toString();
    const { status, body } = await fixture.ask(`/v1/devices/names/readings?${search}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: 'query.fields' }] });
  });
});

import { randomUUID } from 'node:crypto';
import { blockItem, invalidRollupItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { allBuckets, askAggregates, everyMinutes, plainSum } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';
import type { Buckets } from './aggregates.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

const ofDevice = (id: string, parameters: Record<string, string>) =>
  askAggregates(fixture, id, parameters);

describe('a month at a reading a minute, by the hour', () => {
  const range = { from: '2026-10-01T00:00:00Z', to: '2026-10-31T00:00:00Z' };
  const question = { ...range, fn: 'sum,avg,min,max,count,first,last', limit: '1000' };
  const readings = everyMinutes(1, range.from, range.to);
  const id = randomUUID();

  beforeAll(() => fixture.place({ id, blocks: single(readings) }));

  it('is exact, then costs one Query per page, then includes a late reading', async () => {
    const made = await allBuckets(fixture, id, question);
    expect(made).toHaveLength(720);
    expect(made.map(({ fields }) => fields['power']?.['sum'])).toEqual(
      made.map((bucket) => plainSum(readings, 'power', bucket)),
    );
    expect(made[5]?.fields['power']).toMatchObject({
      count: 60,
      avg: expect.any(Number) as number,
    });

    let again: Buckets = { items: [] };
    const queries = await fixture.requestsOf('Query', async () => {
      again = await ofDevice(id, question);
    });
    expect(queries).toBe(1);
    expect(again).toEqual({ items: made, every: 'PT1H' });

    const late = { time: Date.parse('2026-10-20T09:30:30Z'), fields: { power: 0.001 } };
    await fixture.put(blockItem({ device: id, readings: [late] }));
    const start = Date.parse('2026-10-20T09:00:00Z');
    await fixture.put(invalidRollupItem(id, { width: 'PT1H', start }, randomUUID()));
    const next = await ofDevice(id, question);
    const index = made.findIndex(({ from }) => Date.parse(from) === start);
    const changed = next.items.flatMap((bucket, at) =>
      JSON.stringify(bucket) === JSON.stringify(made[at]) ? [] : [at],
    );
    expect(changed).toEqual([index]);
    expect(next.items[index]?.fields['power']).toMatchObject({
      count: 61,
      min: 0.001,
      sum: plainSum([...readings, late], 'power', {
        from: '2026-10-20T09:00:00Z',
        to: '2026-10-20T10:00:00Z',
      }),
    });
  });
});

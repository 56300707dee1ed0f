import { randomUUID } from 'node:crypto';
import { devicePartition, rollupRange } from '@engawa/keys';
import { bucketStart, closedBuckets, invalidRollupItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { allBuckets, askAggregates, hour, minute } from './aggregates.ts';
import { packed, QueryFixture, single } from './query-fixture.ts';

const midnight = Date.parse('2026-10-01T00:00:00Z');
const day = 24 * hour;
const iso = (time: number) => new Date(time).toISOString();
const percents = { p50: 50, p90: 90, p95: 95, p99: 99 };
const fn = Object.keys(percents).join(',');
const range = { from: iso(midnight), to: iso(midnight + 2 * day) };

const fixture = openBeforeAll(() => QueryFixture.open());

/** Values from -100 to 9,900 at every minute of two days. */
const values = Array.from({ length: 2880 }, (_, index) => ((index * 7919) % 10_007) - 100);
const readings = values.map((power, index) => ({
  time: midnight + index * minute,
  fields: { power },
}));

async function meter(): Promise<string> {
  const id = randomUUID();
  await fixture.place({ id, blocks: packed(readings) });
  return id;
}

async function percentiles(id: string, question: Record<string, string>) {
  const buckets = await allBuckets(fixture, id, { ...range, fn, ...question });
  return buckets.map(({ fields }) => fields['power']);
}

function expectNear(given: Record<string, number> | undefined, list: readonly number[]): void {
  const inOrder = list.toSorted((left, right) => left - right);
  for (const [name, percent] of Object.entries(percents)) {
    const exact = inOrder[Math.ceil((percent * list.length) / 100) - 1] ?? NaN;
    expect(Math.abs((given?.[name] ?? NaN) - exact)).toBeLessThanOrEqual(Math.abs(exact) * 0.01);
  }
}

describe('percentiles', () => {
  it('are within 1 % of the exact ones, from readings and from sketches, on pages of any size', async () => {
    const id = await meter();
    const first = await percentiles(id, { every: 'P1D' });
    expectNear(first[0], values.slice(0, 1440));
    expectNear(first[1], values.slice(1440));
    for (const limit of ['1', '100']) {
      expect(await percentiles(id, { every: 'P1D', limit })).toEqual(first);
    }
    const hours = await percentiles(id, { every: 'PT1H', limit: '7' });
    expect(hours).toHaveLength(48);
    hours.forEach((each, index) => {
      expectNear(each, values.slice(index * 60, index * 60 + 60));
    });
    const whole = await percentiles(id, { every: 'P1Y' });
    expectNear(whole[0], values);
  });

  it('cost one Query more than other functions', async () => {
    const id = await meter();
    const ask = (functions: string) => () =>
      askAggregates(fixture, id, { ...range, every: 'PT1H', fn: functions });
    await ask('avg')();
    await ask('p50')();
    expect(await fixture.requestsOf('Query', ask('p50,avg'))).toBe(2);
    expect(await fixture.requestsOf('Query', ask('avg'))).toBe(1);
  });

  it('of a constant field are its value', async () => {
    const id = randomUUID();
    await fixture.place({ id, blocks: single([{ time: midnight, fields: { power: 21.37 } }]) });
    expect((await percentiles(id, {}))[0]).toEqual({
      p50: 21.37,
      p90: 21.37,
      p95: 21.37,
      p99: 21.37,
    });
  });

  it('follow a late reading, whose rollup is another version', async () => {
    const id = randomUUID();
    const first = { time: midnight, fields: { power: 1 } };
    await fixture.place({ id, blocks: [[first]] });
    const ask = async () => (await percentiles(id, { every: 'P1D' }))[0]?.['p99'];
    expect([await ask(), await ask()]).toEqual([1, 1]);
    for (const power of [50, 70]) {
      const late = { time: midnight + minute * power, fields: { power } };
      await fixture.place({ id, blocks: [[late]] });
      const closed = closedBuckets([late.time], Date.now());
      await fixture.putAll(closed.map((bucket) => invalidRollupItem(id, bucket, randomUUID())));
      const given = await ask();
      expect(Math.abs((given ?? NaN) - power)).toBeLessThanOrEqual(power * 0.01);
      expect(await ask()).toBe(given);
    }
  });

  it('are null where only a rollup exists', async () => {
    const id = randomUUID();
    const recent = { time: Date.now() - day, fields: { power: 1 } };
    const ttl = Math.ceil(Date.now() / 1000) + 9 * 86_400; // of ten days
    await fixture.place({ id, device: { lastSeenAt: recent.time }, blocks: [[recent]], ttl });
    const start = bucketStart(midnight, 'PT1H');
    const sk = rollupRange('PT1H', start, start).from;
    const rollup = '{"power":[2,3,1,2,1,0,2,60000,1,[],60000]}';
    await fixture.put({ pk: devicePartition(id), sk, values: rollup, format: 3 });
    const asked = { to: iso(midnight + hour), fn: 'p50,avg' };
    for (let time = 0; time < 2; time++) {
      expect(await percentiles(id, asked)).toEqual([{ p50: null, avg: 1.5 }]);
    }
  });
});

import { randomUUID } from 'node:crypto';
import { devicePartition, rollupRange } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, hour } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';

const start = Date.parse('2026-11-02T00:00:00Z');
const iso = (time: number) => new Date(time).toISOString();

const fixture = openBeforeAll(() => QueryFixture.open());

/** A counter that reports 9990, then 10000 and 9999 within one millisecond, and 10001. */
async function meter(areFormer = true): Promise<string> {
  const id = randomUUID();
  const reading = (energy: number, at: number) => ({ time: start + at, fields: { energy } });
  const readings = [reading(9990, 0), reading(10_000, 60_000), reading(9999, 60_000)];
  const blocks = single([...readings, reading(10_001, 120_000)]);
  await fixture.place({ id, blocks, areFormer });
  return id;
}

const all = 'increase,first,last';

async function ask(id: string, every: string, to: number, fn = all): Promise<unknown> {
  const question = { from: iso(start), to: iso(to), every, fn };
  const { items: buckets } = await askAggregates(fixture, id, question);
  return buckets[0]?.fields['energy'];
}

describe('values of one moment', () => {
  it('of version 0.2, whose order is not known, are sorted ascending, so that a counter does not fall', async () => {
    const id = await meter();
    for (let time = 0; time < 2; time++) {
      expect(await ask(id, 'PT1H', start + hour)).toEqual({
        increase: 11,
        first: 9990,
        last: 10_001,
      });
    }
  });

  it('are in the order of receipt', async () => {
    const id = await meter(false);
    const minute = { from: iso(start + 60_000), to: iso(start + 61_000), fn: 'first,last' };
    const { items: buckets } = await askAggregates(fixture, id, minute);
    expect(buckets[0]?.fields['energy']).toEqual({ first: 10_000, last: 9999 });
  });

  it('of several devices are sorted ascending, too', async () => {
    const place = randomUUID();
    for (const [id, power] of Object.entries({ a: 3, b: 1, c: 2 })) {
      const device = `${place} ${id}`;
      await fixture.place({ id: device, blocks: [[{ time: start, fields: { power } }]] });
      await fixture.settle({ place, device, since: 0 });
    }
    const question = { from: iso(start), to: iso(start + hour), fn: 'first,last' };
    const { items: buckets } = await askAggregates(
      fixture,
      `/v1/places/${place}/aggregates`,
      question,
    );
    expect(buckets[0]?.fields['power']).toEqual({ first: 1, last: 3 });
  });

  describe('in a rollup of an earlier format', () => {
    /** 9990, 10000, 9999, 10001: it rose by 12 and fell once, as it was worked out before. */
    const values = '{"energy":[4,39990,9990,10001,9990,0,10001,120000,12,[[10000,9999]]]}';
    const rollups = (id: string) =>
      ['PT1H', 'P1D'].map((width) => ({
        pk: devicePartition(id),
        sk: rollupRange(width, start, start).from,
        values,
      }));

    it('are computed again from the readings', async () => {
      const id = await meter();
      for (const rollup of rollups(id)) await fixture.put(rollup);
      for (const every of ['PT1H', 'P1D', 'PT1H', 'P1D']) {
        const to = every === 'P1D' ? start + 24 * hour : start + hour;
        expect(await ask(id, every, to)).toMatchObject({ increase: 11 });
      }
      const once = () => ask(id, 'P1D', start + 24 * hour, 'last');
      expect(await fixture.requestsOf('Query', once)).toBe(1);
    });

    it('stay as they are where the readings have expired', async () => {
      const id = randomUUID();
      const recent = { time: Date.now() - 24 * hour, fields: { energy: 20_000 } };
      const ttl = Math.ceil(Date.now() / 1000) + 9 * 86_400; // of ten days
      await fixture.place({ id, device: { lastSeenAt: recent.time }, blocks: [[recent]], ttl });
      for (const rollup of rollups(id)) await fixture.put(rollup);
      const ask24 = () => ask(id, 'P1D', start + 24 * hour);
      expect(await ask24()).toEqual({ increase: 10_011, first: 9990, last: 10_001 });
      expect(await ask24()).toEqual({ increase: 10_011, first: 9990, last: 10_001 });
      const once = () => ask(id, 'P1D', start + 24 * hour, 'last');
      expect(await fixture.requestsOf('Query', once)).toBe(1);
    });
  });
});

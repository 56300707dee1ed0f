import { randomUUID } from 'node:crypto';
import { blockItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, hour } from './aggregates.ts';
import { Corrector } from './correct.ts';
import { QueryFixture, single } from './query-fixture.ts';

const day = 24 * hour;
const midnight = Date.parse('2026-10-01T00:00:00Z');
const iso = (time: number) => new Date(time).toISOString();

const fixture = openBeforeAll(() => QueryFixture.open());

interface MarkedBucket {
  incomplete?: boolean;
  fields: Record<string, Record<string, number>>;
}

/** A meter in a room that counts 2.5 an hour, also during an outage from the fifth to the sixteenth day. */
async function meter(more: object = {}): Promise<{ id: string; place: string }> {
  const [id, place] = [randomUUID(), randomUUID()];
  const hours = Array.from({ length: 28 * 24 }, (_, index) => index);
  const readings = hours
    .filter((index) => index < 5 * 24 || index >= 16 * 24)
    .map((index) => ({ time: midnight + index * hour, fields: { energy: 100 + index * 2.5 } }));
  await fixture.place({ id, blocks: single(readings), ...more });
  await fixture.settle({ place, room: 'cellar', device: id, since: midnight - day });
  return { id, place };
}

async function total(path: string, range: { from: number; to: number }, every = 'P1D') {
  const asked = { from: iso(range.from), to: iso(range.to), every, fn: 'increase' };
  const { items } = await askAggregates(fixture, `/v1/${path}/aggregates`, asked);
  const buckets = items as unknown as MarkedBucket[];
  return {
    increase: buckets.reduce((sum, { fields }) => sum + (fields['energy']?.['increase'] ?? 0), 0),
    isMarked: buckets.some(({ incomplete }) => incomplete),
  };
}

describe('the increase of a range', () => {
  it.each(['device', 'room', 'place'] as const)('of a %s is the sum of its weeks', async (kind) => {
    const { id, place } = await meter();
    const path = {
      device: `devices/${id}`,
      room: `rooms/${place}/cellar`,
      place: `places/${place}`,
    };
    const whose = path[kind];
    const whole = { from: midnight, to: midnight + 28 * day };
    const expected = { increase: 2.5 * (28 * 24 - 1), isMarked: false };
    for (let time = 0; time < 2; time++) {
      expect(await total(whose, whole)).toEqual(expected);
      const weeks = [0, 1, 2, 3].map((week) => {
        const from = midnight + week * 7 * day;
        return total(whose, { from, to: from + 7 * day });
      });
      const sums = await Promise.all(weeks);
      expect(sums.reduce((sum, { increase }) => sum + increase, 0)).toBe(expected.increase);
      expect(sums.map(({ isMarked }) => isMarked)).toEqual([false, false, false, false]);
    }
  });

  it('of one day is the same alone and within a month', async () => {
    const { id } = await meter();
    const from = midnight + 16 * day;
    const alone = await total(`devices/${id}`, { from, to: from + hour }, 'PT1H');
    expect(alone).toEqual({ increase: 2.5 * 24 * 11 + 2.5, isMarked: false });
  });

  it('does not count what a device counted before it came', async () => {
    const { id } = await meter();
    const place = randomUUID();
    await fixture.settle({ place, device: id, since: midnight + 10 * day });
    const range = { from: midnight + 14 * day, to: midnight + 17 * day };
    expect(await total(`places/${place}`, range)).toEqual({ increase: 23 * 2.5, isMarked: false });
  });

  it('counts from a corrected value', async () => {
    const { id } = await meter();
    const last = midnight + 5 * day - hour;
    await new Corrector(fixture, { id }).make({ operation: 'ignore', from: last });
    const range = { from: midnight + 16 * day, to: midnight + 16 * day + hour };
    expect((await total(`devices/${id}`, range)).increase).toBe(2.5 * (24 * 11 + 2));
  });
});

describe('where the last value is not found by one search, the bucket', () => {
  /** Another field fills the blocks since the last value. */
  async function rareCounter(count: number): Promise<string> {
    const id = randomUUID();
    const end = midnight + 20 * day;
    const readings = [
      { time: midnight, fields: { energy: 1 } },
      ...Array.from({ length: count }, (_, index) => ({
        time: midnight + day + index * 60_000,
        fields: { power: index },
      })),
      { time: end, fields: { energy: 5 } },
    ];
    await fixture.place({ id, blocks: single(readings) });
    return id;
  }

  const range = { from: midnight + 20 * day, to: midnight + 21 * day };

  it('is marked', async () => {
    const id = await rareCounter(3000);
    expect(await total(`devices/${id}`, range)).toEqual({ increase: 0, isMarked: true });
  });

  it('is exact if some other readings came later', async () => {
    const id = await rareCounter(60);
    expect(await total(`devices/${id}`, range)).toEqual({ increase: 4, isMarked: false });
  });
});

describe('after retention, the increase since an older value', () => {
  const today = Date.now() - (Date.now() % day);
  const range = { from: today - 11 * day, to: today };

  /** A counter that was read twenty days ago, and then yesterday; kept for ten days. */
  async function expiring(isKept: boolean, more: object = {}) {
    const id = randomUUID();
    const first = { time: today - 20 * day, fields: { energy: 1 } };
    const last = { time: today - hour, fields: { energy: 8 } };
    const ttl = Math.ceil(last.time / 1000) + 10 * 86_400;
    await fixture.place({ id, device: more, blocks: [[last]], ttl });
    if (isKept) {
      const old = blockItem({ device: id, readings: [first] });
      await fixture.put(old);
      await total(`devices/${id}`, { from: today - 20 * day, to: today - 19 * day }); // as the rollup command does
      await fixture.delete(old);
    }
    return id;
  }

  it('is marked where that value may have expired', async () => {
    const id = await expiring(false, { registeredAt: today - 30 * day });
    expect(await total(`devices/${id}`, range)).toEqual({ increase: 0, isMarked: true });
  });

  it('is not marked for a device that was registered later', async () => {
    const id = await expiring(false, { registeredAt: today - 2 * day });
    const recent = { from: today - day, to: today };
    expect(await total(`devices/${id}`, recent)).toEqual({ increase: 0, isMarked: false });
  });

  it('comes from rollups, and is marked if later readings may have expired', async () => {
    const id = await expiring(true, { registeredAt: today - 30 * day });
    expect(await total(`devices/${id}`, range)).toEqual({ increase: 7, isMarked: true });
  });
});

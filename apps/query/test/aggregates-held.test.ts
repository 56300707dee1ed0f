import { randomUUID } from 'node:crypto';
import { devicePartition, rollupRange } from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { allBuckets, askAggregates, hour, minute, valuesOf } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';

const midnight = Date.parse('2026-10-01T00:00:00Z');
const day = 24 * hour;
const iso = (time: number) => new Date(time).toISOString();

const fixture = openBeforeAll(() => QueryFixture.open());

/** A device with these values, each so many minutes after midnight. */
async function device(values: readonly (readonly [number, number])[], id = randomUUID()) {
  const readings = values.map(([minutes, power]) => ({
    time: midnight + minutes * minute,
    fields: { power },
  }));
  await fixture.place({ id, blocks: single(readings) });
  return id;
}

async function ask(of: string, fn: string, question: Record<string, string> = {}) {
  const range = { from: iso(midnight), to: iso(midnight + 3 * hour) };
  const answer = await askAggregates(fixture, of, { ...range, fn, fields: 'power', ...question });
  return valuesOf(answer, 'power', fn);
}

describe('timeWeightedMean', () => {
  it('holds each value until the next one, and the last one before a bucket on in it', async () => {
    const id = await device([
      [-30, 60],
      [15, 100],
      [45, 20],
      [120, 30],
    ]);
    const expected = [(60 * 15 + 100 * 30 + 20 * 15) / 60, 20, 30];
    for (let time = 0; time < 2; time++)
      expect(await ask(id, 'timeWeightedMean')).toEqual(expected);
  });

  it('begins with the first value where none is known before', async () => {
    const id = await device([[30, 5]]);
    expect((await ask(id, 'timeWeightedMean'))[0]).toBe(5);
  });

  it('holds a value for 24 hours and no longer', async () => {
    const id = await device([
      [0, 10],
      [3 * 24 * 60 - 1, 50],
    ]);
    const question = { from: iso(midnight), to: iso(midnight + 3 * day), every: 'P1M' };
    const expected = (10 * 24 * 60 + 50) / (24 * 60 + 1);
    expect(await ask(id, 'timeWeightedMean', question)).toEqual([expected]);
    const last = { from: iso(midnight + 2 * day), to: iso(midnight + 3 * day), every: 'P1D' };
    expect(await ask(id, 'timeWeightedMean', last)).toEqual([50]);
  });

  it('of a place weighs all devices by how long their values were known', async () => {
    const place = randomUUID();
    const devices = [await device([[0, 10]]), await device([[30, 40]])];
    for (const each of devices) await fixture.settle({ place, device: each, since: 0 });
    const values = await ask(`/v1/places/${place}/aggregates`, 'timeWeightedMean');
    expect(values[0]).toBe((10 * 60 + 40 * 30) / 90);
  });

  it('does not count the time after now', async () => {
    const now = Date.now();
    const id = randomUUID();
    const readings = [-90, -30].map((minutes) => ({
      time: now + minutes * minute,
      fields: { power: minutes === -30 ? 40 : 10 },
    }));
    await fixture.place({ id, blocks: single(readings) });
    const to = iso(now + 12 * hour);
    const [mean] = await ask(id, 'timeWeightedMean', {
      from: iso(now - 90 * minute),
      to,
      every: 'P1Y',
    });
    // Some seconds may have passed since `now`.
    expect(mean).toBeGreaterThanOrEqual((10 * 60 + 40 * 30) / 90);
    expect(mean).toBeLessThan(21);
    const ahead = { from: iso(now + hour), to };
    const after = await ask(id, 'timeWeightedMean', ahead);
    expect(new Set(after)).toEqual(new Set([undefined]));
  });

  it('has no value where all readings are ahead', async () => {
    const id = randomUUID();
    const time = Date.now() + 3 * hour;
    await fixture.place({ id, blocks: single([{ time, fields: { power: 1 } }]) });
    const range = { from: iso(time - minute), to: iso(time + minute), every: 'P1D' };
    expect(await ask(id, 'timeWeightedMean', range)).toEqual([null]);
    expect(await ask(id, 'count', range)).toEqual([1]);
  });

  it('of a bucket without a reading is the value that is held, for 24 hours', async () => {
    const id = await device([[15, 20]]);
    const range = { from: iso(midnight), to: iso(midnight + 3 * day), every: 'PT8H', limit: '2' };
    const path = `/v1/devices/${id}/aggregates`;
    for (const fields of [{ fields: 'power' }, {}] as Record<string, string>[]) {
      const buckets = await allBuckets(fixture, path, {
        ...range,
        ...fields,
        fn: 'count,timeWeightedMean',
      });
      const held = { timeWeightedMean: 20 };
      const shown = buckets.map(({ fields: { power } }) => power);
      const none = Array.from({ length: 5 }, () => undefined);
      expect(shown).toEqual([{ count: 1, ...held }, held, held, held, ...none]);
    }
  });

  it('of a room includes a device that is silent in a bucket', async () => {
    const place = randomUUID();
    const devices = [
      await device([
        [0, 20],
        [60, 20],
        [120, 20],
      ]),
      await device([[0, 30]]),
    ];
    for (const each of devices)
      await fixture.settle({ place, room: 'hall', device: each, since: 0 });
    const path = `/v1/rooms/${place}/hall/aggregates`;
    expect(await ask(path, 'timeWeightedMean')).toEqual([25, 25, 25]);
  });

  it('is null where only a rollup of an earlier format exists', async () => {
    const id = randomUUID();
    const recent = { time: Date.now() - day, fields: { power: 1 } };
    const ttl = Math.ceil(Date.now() / 1000) + 9 * 86_400; // of ten days
    await fixture.place({ id, device: { lastSeenAt: recent.time }, blocks: [[recent]], ttl });
    const sk = rollupRange('PT1H', midnight, midnight).from;
    const values = '{"power":[2,3,1,2,1,0,2,60000,1,[]]}';
    await fixture.put({ pk: devicePartition(id), sk, values, format: 2 });
    const once = () => ask(id, 'timeWeightedMean', { to: iso(midnight + hour) });
    expect(await once()).toEqual([null]);
    expect(await once()).toEqual([null]); // now of the format that has it
    expect(await ask(id, 'avg', { to: iso(midnight + hour) })).toEqual([1.5]);
  });
});

describe('rate', () => {
  it.each([
    ['second', 90 / 3600],
    ['minute', 90 / 60],
    ['hour', 90],
  ])('is the increase per %s of the bucket', async (per, expected) => {
    const id = await device([
      [-30, 10],
      [15, 40],
      [45, 100],
      [120, 100],
    ]);
    expect(await ask(id, 'rate', { per })).toEqual([expected, undefined, 0]);
    const half = { per, to: iso(midnight + 30 * minute) };
    expect(await ask(id, 'rate', half)).toEqual([expected / 1.5]);
  });
});

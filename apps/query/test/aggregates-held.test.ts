import { randomUUID } from 'node:crypto';
import { devicePartition, rollupRange } from '@engawa/keys';
import { askAggregates, hour, minute, valuesOf } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';

const midnight = Date.parse('2026-10-01T00:00:00Z');
const day = 24 * hour;
const iso = (time: number) => new Date(time).toISOString();

let fixture: QueryFixture;
beforeAll(async () => {
  fixture = await QueryFixture.open();
});
afterAll(() => fixture.close());

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
    const expected = [(60 * 15 + 100 * 30 + 20 * 15) / 60, undefined, 30];
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

import { randomUUID } from 'node:crypto';
import { blockItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, hour, valuesOf } from './aggregates.ts';
import { Corrector } from './correct.ts';
import { QueryFixture, single } from './query-fixture.ts';
import type { Reading } from '@engawa/model';
import type { Buckets } from './aggregates.ts';

const day = 24 * hour;
const today = Date.now() - (Date.now() % day);
const start = today - 12 * day;
const iso = (time: number) => new Date(time).toISOString();

const fixture = openBeforeAll(() => QueryFixture.open({}, () => clock));
/** Milliseconds on the service's clock. */
let clock = 0;

/** Of two days, a reading at half past each hour: a counter that rises by 10, and a value of 1. */
const readings: Reading[] = Array.from({ length: 48 }, (_, index) => ({
  time: start + (index + 0.5) * hour,
  fields: { energy: 1000 + 10 * index, power: 1 },
}));

async function aMeter(given = readings) {
  const id = randomUUID();
  await fixture.place({ id, blocks: single(given) });
  return { id, corrector: new Corrector(fixture, { id }) };
}

const twoDays = { from: iso(start), to: iso(start + 2 * day) };

async function ask(id: string, fn: string, question: Record<string, string> = { every: 'P1D' }) {
  clock += 10_000;
  return askAggregates(fixture, id, { ...twoDays, fn, ...question });
}

const values = async (id: string, field: string, fn: string, question?: Record<string, string>) =>
  valuesOf(await ask(id, fn, question), field, fn);

describe('rollups follow a correction', () => {
  it('and its undoing, after which the former rollups are used again', async () => {
    const { id, corrector } = await aMeter();
    expect(await values(id, 'power', 'count')).toEqual([24, 24]);
    const undo = await corrector.make({
      ...{ operation: 'delete', from: start + 2 * hour, to: start + 5 * hour },
      fields: ['power'],
    });
    for (let time = 0; time < 2; time++) {
      expect(await values(id, 'power', 'count')).toEqual([21, 24]);
      expect(await values(id, 'energy', 'count')).toEqual([24, 24]);
    }
    await undo();
    expect(await values(id, 'power', 'count')).toEqual([24, 24]);
  });

  it('once, and rollups outside of its range are kept', async () => {
    const { id, corrector } = await aMeter();
    await ask(id, 'count');
    await corrector.make({ operation: 'delete', from: start + 2 * hour, to: start + 5 * hour });
    const requests = () => fixture.requestsOf('Query', () => ask(id, 'count'));
    // The corrections, the days, the hours of the one day, the readings of three of them; then the days.
    expect([await requests(), await requests()]).toEqual([4, 1]);
  });

  it('that adds readings long before the first one', async () => {
    const { id, corrector } = await aMeter();
    const added = start - 60 * day;
    await corrector.make({
      ...{ operation: 'replace', from: added, to: added + hour },
      readings: [{ time: added + hour / 2, fields: { power: 7 } }],
    });
    const range = { from: iso(added - day), every: 'P1D', limit: '100' };
    const means = await values(id, 'power', 'avg', range);
    expect(means.filter((mean) => mean !== undefined)).toEqual([7, 1, 1]);
  });

  it('that replaces readings', async () => {
    const { id, corrector } = await aMeter();
    await ask(id, 'sum');
    await corrector.make({
      ...{ operation: 'replace', from: start, to: start + 24 * hour, fields: ['power'] },
      readings: [{ time: start + 7 * hour, fields: { power: 500 } }],
    });
    expect(await values(id, 'power', 'sum')).toEqual([500, 24]);
    expect(await values(id, 'power', 'sum', { every: 'PT12H' })).toEqual([500, undefined, 12, 12]);
    expect(await values(id, 'energy', 'count')).toEqual([24, 24]);
  });
});

describe('an increase', () => {
  // A meter that jumps from 120 to 5,000 as it is replaced, and a spike of a million two hours later.
  const odd = [100, 110, 120, 5000, 5010, 1_000_000, 5020, 5030].map((energy, index) => ({
    time: start + (index + 0.5) * hour,
    fields: { energy },
  }));
  const spike = { operation: 'ignore' as const, from: start + 5 * hour, to: start + 6 * hour };
  const reset = { operation: 'reset' as const, from: start + 3.2 * hour, fields: ['energy'] };
  const hours = { every: 'PT1H', to: iso(start + 8 * hour) };

  it('is right once the reset and the spike are marked', async () => {
    const { id, corrector } = await aMeter(odd);
    expect(await values(id, 'energy', 'increase')).toEqual([
      1_000_020 - 120 + 20 + 5010,
      undefined,
    ]);
    await corrector.make(reset);
    await corrector.make(spike);
    for (let time = 0; time < 2; time++) {
      expect(await values(id, 'energy', 'increase')).toEqual([50, undefined]);
      const each = await values(id, 'energy', 'increase', hours);
      expect(each).toEqual([0, 10, 10, 0, 10, undefined, 10, 10]);
    }
    expect(await values(id, 'energy', 'max')).toEqual([5030, undefined]);
    const { text } = await fixture.ask(`/v1/devices/${id}/readings?from=${start}`);
    expect(text).toContain('1000000');
  });

  it('also where the buckets begin at the reset, or have the last value of before', async () => {
    const { id, corrector } = await aMeter(odd);
    await corrector.make({ ...reset, from: start + 3.5 * hour });
    const from = { from: iso(start + 3.5 * hour), to: iso(start + 5 * hour), every: 'PT1H' };
    expect(await values(id, 'energy', 'increase', from)).toEqual([0, 10]);
    const undo = await corrector.make({
      ...reset,
      from: start + 3.5 * hour + 1,
      fields: ['power'],
    });
    expect(await values(id, 'energy', 'increase', from)).toEqual([0, 10]);
    await undo();
  });
});

describe('where readings have expired', () => {
  it('a bucket lacks readings that were corrected later, and is marked incomplete', async () => {
    const { id, corrector } = await aMeter([]);
    // Kept for ten days: now their time is over, but they were rolled up while it was not.
    const blocks = (ttl: number) =>
      readings.map((reading) => blockItem({ device: id, readings: [reading], ttl }));
    await fixture.putAll(blocks(Math.ceil(Date.now() / 1000) + 1e8));
    const whole = await ask(id, 'count');
    expect(valuesOf(whole, 'energy', 'count')).toEqual([24, 24]);
    for (const block of blocks(0)) await fixture.delete(block);
    const newest = { time: today, fields: { energy: 1, power: 1 } };
    await fixture.put(
      blockItem({ device: id, readings: [newest], ttl: (today + 10 * day) / 1000 }),
    );
    const undo = await corrector.make({
      ...{ operation: 'delete', from: start + 2.2 * hour, to: start + 4 * hour },
      fields: ['power'],
    });
    const answer = await ask(id, 'count');
    expect(valuesOf(answer, 'power', 'count')).toEqual([22, 24]);
    expect(valuesOf(answer, 'energy', 'count')).toEqual([24, 24]);
    expect(flags(answer)).toEqual([true, false]);
    await undo();
    expect(await ask(id, 'count')).toEqual(whole);
  });

  const flags = ({ items }: Buckets) =>
    items.map((bucket) => (bucket as { incomplete?: boolean }).incomplete ?? false);
});

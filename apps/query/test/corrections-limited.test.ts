import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, hour, valuesOf } from './aggregates.ts';
import { Corrector } from './correct.ts';
import { QueryFixture, single } from './query-fixture.ts';
import type { Reading } from '@engawa/model';

const day = 24 * hour;
const start = Date.now() - (Date.now() % day) - 12 * day;
const iso = (time: number) => new Date(time).toISOString();
const minute = 60_000;

const fixture = openBeforeAll(() => QueryFixture.open({}, () => clock));
/** Milliseconds on the service's clock. */
let clock = 0;

/** A counter, at 15 and 45 minutes past each hour of a day. */
const readings: Reading[] = Array.from({ length: 48 }, (_, index) => ({
  time: start + index * 30 * minute + 15 * minute,
  fields: { power: 1, energy: 10 * index },
}));

async function aMeter() {
  const id = randomUUID();
  await fixture.place({ id, blocks: single(readings) });
  return { id, corrector: new Corrector(fixture, { id }) };
}

async function counts(id: string, every: string): Promise<unknown[]> {
  clock += 10_000;
  const range = { from: iso(start), to: iso(start + day) };
  return valuesOf(
    await askAggregates(fixture, id, { ...range, fn: 'count', every }),
    'power',
    'count',
  );
}

async function timesOf(id: string): Promise<number[]> {
  clock += 10_000;
  const path = `/v1/devices/${id}/readings?from=${start}&to=${start + 2 * day}&limit=1000`;
  const { body } = await fixture.ask(path);
  const { items } = body as { items: { time: string }[] };
  return items.map(({ time }) => Date.parse(time));
}

/** All of the day, of which only parts were stays at the places of the client. */
const wholeDay = { from: start, to: start + day };
const range = (from: number, to: number) => ({ from: start + from * hour, to: start + to * hour });

describe('a correction that is limited to stays', () => {
  it('hides only the readings that were taken there', async () => {
    const { id, corrector } = await aMeter();
    const within = [range(2, 4), range(6, 7)];
    await corrector.make({ operation: 'delete', ...wholeDay, within });
    const isHidden = (time: number) => within.some(({ from, to }) => from <= time && time < to);
    const shown = readings.map(({ time }) => time).filter((time) => !isHidden(time));
    expect(await timesOf(id)).toEqual(shown);
    expect(await counts(id, 'P1D')).toEqual([48 - 6]);
  });

  it('ends with the stay, also in the middle of an hour that was rolled up before', async () => {
    const { id, corrector } = await aMeter();
    await corrector.make({ operation: 'ignore', ...wholeDay, within: [range(2, 24)] });
    const every2 = Array.from({ length: 24 }, (_, index) => (index < 2 ? 2 : null));
    const before = (await counts(id, 'PT1H')).map((count) => count ?? null);
    expect(before).toEqual(every2.slice(0, before.length));
    expect(await counts(id, 'P1D')).toEqual([4]);
    await corrector.cut(start + 5.5 * hour);
    expect(await counts(id, 'P1D')).toEqual([48 - 7]);
    expect((await counts(id, 'PT1H')).at(-19)).toBe(1);
  });

  it('adds no replacement and marks no reset after the stay', async () => {
    const { id, corrector } = await aMeter();
    const replacement = [3, 8].map((hours) => ({
      time: start + hours * hour + 1,
      fields: { power: 7 },
    }));
    await corrector.make({
      ...{ operation: 'replace', ...wholeDay, within: [range(3, 9)], readings: replacement },
    });
    const reset = start + 20 * hour;
    await corrector.make({ operation: 'reset', from: reset, within: [range(20, 21)] });
    await corrector.cut(start + 5 * hour);
    const times = await timesOf(id);
    expect(times).toContain(start + 3 * hour + 1);
    expect(times).not.toContain(start + 8 * hour + 1);
    const whole = { from: iso(start), to: iso(start + day), every: 'P1D', fn: 'increase' };
    clock += 10_000;
    const energy = valuesOf(await askAggregates(fixture, id, whole), 'energy', 'increase');
    expect(energy).toEqual([470]);
  });
});

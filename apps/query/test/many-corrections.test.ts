import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, hour, valuesOf } from './aggregates.ts';
import { Corrector } from './correct.ts';
import { packed, QueryFixture, single } from './query-fixture.ts';
import type { Reading } from '@engawa/model';
import type { Buckets } from './aggregates.ts';
import type { Said } from './correct.ts';

const minute = 60_000;
const day = 24 * hour;
const start = Math.floor(Date.now() / day) * day - 20 * day;
const iso = (time: number) => new Date(time).toISOString();

const fixture = openBeforeAll(() => QueryFixture.open({}, () => clock));
/** Milliseconds on the service's clock. */
let clock = 0;
const later = () => (clock += 10_000);

const minutesFrom = (from: number, count: number): Reading[] =>
  Array.from({ length: count }, (_, index) => ({
    time: from + index * minute,
    fields: { power: index },
  }));

const deletionOf = (time: number): Said => ({ operation: 'delete', from: time, to: time + 1 });

async function aMeter(readings: readonly Reading[], corrections: readonly Said[]) {
  const id = randomUUID();
  await fixture.place({ id, blocks: packed(readings), device: { span: 3600 } });
  const corrector = new Corrector(fixture, { id, span: 3600 }, { hasRows: true });
  if (corrections.length > 0) await corrector.makeAll(corrections);
  return { id, corrector };
}

async function shown(id: string, parameters: Record<string, string>) {
  later();
  const pages = await fixture.walk(id, parameters);
  return { pages, times: pages.flatMap(({ items }) => items.map(({ time }) => Date.parse(time))) };
}

async function latest(id: string, limit: number) {
  const { body } = await fixture.ask(`/v1/devices/${id}/latest?limit=${limit}`);
  return (body as { readings: { time: string }[] }).readings.map(({ time }) => Date.parse(time));
}

describe('3,000 corrections of other days', () => {
  const theDay = { from: iso(start), to: iso(start + day), every: 'P1D', fn: 'count' };
  const elsewhere = Array.from({ length: 3000 }, (_, index) =>
    deletionOf(start - (2 + (index % 400)) * day + index),
  );
  const readings = minutesFrom(start, 1440);
  let plain: string;
  let corrected: string;
  beforeAll(async () => {
    plain = (await aMeter(readings, [])).id;
    corrected = (await aMeter(readings, elsewhere)).id;
  });

  const units = (ask: (id: string) => Promise<unknown>, id: string) => {
    later();
    return fixture.readUnitsOf(() => ask(id));
  };

  it('add one unit to the aggregates of a day, and nothing to the next request', async () => {
    const ask = (id: string) => askAggregates(fixture, id, theDay);
    const without = [await units(ask, plain), await units(ask, plain)];
    const [first = 0, second = 0] = without;
    expect([await units(ask, corrected), await units(ask, corrected)]).toEqual([first + 1, second]);
    expect(valuesOf(await ask(corrected), 'power', 'count')).toEqual([1440]);
  });

  it('add at most one unit to a page of readings, and to the latest readings', async () => {
    const page = (id: string) =>
      fixture.ask(`/v1/devices/${id}/readings?from=${start}&to=${iso(start + day)}&limit=20`);
    expect(await units(page, corrected)).toBeLessThanOrEqual((await units(page, plain)) + 1);
    const newest = (id: string) => latest(id, 5);
    expect(await units(newest, corrected)).toBeLessThanOrEqual((await units(newest, plain)) + 1);
  });
});

describe('more corrections in a range than one page reads', () => {
  const readings = minutesFrom(start, 4 * 1440);
  const odd = readings.filter((_, index) => index % 2 === 1).map(({ time }) => time);
  const even = readings.filter((_, index) => index % 2 === 0).map(({ time }) => time);

  it('apply to readings in both orders', async () => {
    const { id } = await aMeter(readings, odd.map(deletionOf));
    const range = { from: iso(start), to: iso(start + 4 * day), limit: '1000' };
    const { times, pages } = await shown(id, range);
    expect(times).toEqual(even);
    expect(pages.some(({ items, cursor }) => items.length < 1000 && cursor)).toBe(true);
    const { times: descending } = await shown(id, { ...range, order: 'desc' });
    expect(descending).toEqual(even.toReversed());
  });

  it('apply to aggregates, whose pages end earlier', async () => {
    const { id } = await aMeter(readings, odd.map(deletionOf));
    const range = { from: iso(start), to: iso(start + 4 * day), every: 'PT1H', fn: 'count' };
    for (let time = 0; time < 2; time++) {
      later();
      const pages = await fixture.walkAll<Buckets>(`/v1/devices/${id}/aggregates`, range);
      const counts = pages.flatMap((page) => valuesOf(page, 'power', 'count'));
      expect(counts).toEqual(Array.from({ length: 96 }, () => 30));
      expect(pages.length).toBeGreaterThan(1);
    }
  });

  it('apply to the latest readings, which are searched back', async () => {
    const gone = readings.slice(1000).map(({ time }) => time);
    const { id } = await aMeter(readings, gone.map(deletionOf));
    expect(await latest(id, 2)).toEqual([start + 999 * minute, start + 998 * minute]);
  });
});

it('corrections of any length apply where they reach', async () => {
  const readings = minutesFrom(start, 60);
  const ends = [10, 20, 30, 40].map((minutes) => start + minutes * minute);
  const lengths = [hour, 20 * day, 500 * day, 5000 * day];
  const { id, corrector } = await aMeter(
    readings,
    lengths.map((length, index) => ({
      ...{ operation: 'delete' as const, from: (ends[index] ?? 0) - length, to: ends[index] ?? 0 },
    })),
  );
  const range = { from: iso(start), to: iso(start + hour) };
  const expected = readings.slice(40).map(({ time }) => time);
  expect((await shown(id, range)).times).toEqual(expected);
  expect(await latest(id, 60)).toEqual(expected.toReversed());
  expect(
    valuesOf(await askAggregates(fixture, id, { ...range, fn: 'count' }), 'power', 'count'),
  ).toEqual([20]);
  const undo = await corrector.make({ ...deletionOf(start), to: start + hour });
  expect((await shown(id, range)).times).toEqual([]);
  await undo();
  expect((await shown(id, range)).times).toEqual(expected);
});

it('a reset in a gap before the range counts', async () => {
  const readings = [
    { time: start - 9 * day, fields: { energy: 500 } },
    { time: start + hour / 2, fields: { energy: 700 } },
  ];
  const id = randomUUID();
  await fixture.place({ id, blocks: single(readings) });
  const corrector = new Corrector(fixture, { id }, { hasRows: true });
  const ask = async () => {
    later();
    const range = { from: iso(start), to: iso(start + hour), fn: 'increase' };
    return valuesOf(await askAggregates(fixture, id, range), 'energy', 'increase');
  };
  expect(await ask()).toEqual([200]);
  const undo = await corrector.make({ operation: 'reset', from: start - 5 * day });
  expect(await ask()).toEqual([0]);
  await undo();
  expect(await ask()).toEqual([200]);
});

it('the latest of many replacement readings are found without reading all of them', async () => {
  const replacements = Array.from({ length: 2000 }, (_, index): Said => {
    const from = start - index * 6 * hour;
    const readings = [{ time: from, fields: { power: index } }];
    return { operation: 'replace', from, to: from + 1, readings };
  });
  const { id } = await aMeter([], replacements);
  const units = await fixture.readUnitsOf(async () => {
    expect(await latest(id, 3)).toEqual([0, 6, 12].map((hours) => start - hours * hour));
  });
  expect(units).toBeLessThan(20);
  expect(await latest(id, 500)).toHaveLength(500);
});

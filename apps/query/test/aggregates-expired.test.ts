import { randomUUID } from 'node:crypto';
import { blockItem, invalidRollupItem } from '@engawa/model';
import { openBeforeAll } from '@engawa/testing';
import { askAggregates, everyMinutes, hour, valuesOf } from './aggregates.ts';
import { QueryFixture } from './query-fixture.ts';
import type { Buckets } from './aggregates.ts';

const day = 24 * hour;
const today = Date.now() - (Date.now() % day);
const iso = (time: number) => new Date(time).toISOString();
const retentionDays = 10;

const fixture = openBeforeAll(() => QueryFixture.open());

/** A reading every half hour of these days, counted back from today, each kept for ten days. */
async function device(days: { from: number; to: number }) {
  const id = randomUUID();
  const readings = everyMinutes(30, iso(today - days.from * day), iso(today - days.to * day));
  const blocks = readings.map((reading) =>
    blockItem({
      device: id,
      readings: [reading],
      ttl: Math.ceil(reading.time / 1000) + retentionDays * 86_400,
    }),
  );
  await fixture.place({ id, device: { lastSeenAt: today - days.to * day } });
  return { id, readings, blocks };
}

/** Puts them as they were while they had not expired. */
const before = (blocks: readonly { ttl?: number }[]) =>
  Promise.all(blocks.map(({ ttl = 0, ...block }) => fixture.put({ ...block, ttl: ttl + 1e8 })));

/** Each of these so many times. */
const times = (count: number, values: readonly boolean[]) =>
  values.flatMap((value) => Array<boolean>(count).fill(value));

const flags = ({ items }: Buckets) =>
  items.map((bucket) => (bucket as { incomplete?: boolean }).incomplete ?? false);

describe('after retention, a bucket', () => {
  const range = { from: iso(today - 14 * day), to: iso(today - 12 * day), fn: 'count' };
  const inKolkata = {
    ...range,
    from: iso(today - 14 * day - 5.5 * hour),
    to: iso(today - 12 * day - 5.5 * hour),
    timeZone: 'Asia/Kolkata',
    every: 'P1D',
  };
  const ask = (id: string, question: Record<string, string>) =>
    askAggregates(fixture, id, question);

  it.each(['expired', 'deleted'])('is marked incomplete where readings have %s', async (how) => {
    const { id, blocks } = await device({ from: 15, to: 2 });
    await before(blocks);
    await ask(id, { ...range, every: 'P1D' }); // as the rollup command does
    const whole = await ask(id, inKolkata);
    expect([valuesOf(whole, 'power', 'count'), flags(whole)]).toEqual([
      [48, 48],
      [false, false],
    ]);
    for (const block of blocks) {
      const isDeleted = how === 'deleted' && (block.ttl ?? 0) * 1000 < Date.now();
      await (isDeleted ? fixture.delete(block) : fixture.put(block));
    }
    const after = await ask(id, inKolkata);
    expect([valuesOf(after, 'power', 'count'), flags(after)]).toEqual([
      [46, 46],
      [true, true],
    ]);
    // The hours are in rollups.
    const hours = await ask(id, { ...range, every: 'PT6H' });
    expect([valuesOf(hours, 'power', 'count'), flags(hours)]).toEqual([
      Array(8).fill(12),
      Array(8).fill(false),
    ]);
    const minutes = await ask(id, { ...range, to: iso(today - 13.5 * day), every: 'PT30M' });
    expect([valuesOf(minutes, 'power', 'count'), flags(minutes)]).toEqual([
      Array(24).fill(undefined),
      Array(24).fill(true),
    ]);
  });

  it('of a silent device, whose readings have all expired, is marked incomplete', async () => {
    const { id } = await device({ from: 15, to: 12 });
    const answer = await ask(id, { ...range, to: iso(today - 10 * day), every: 'P1D' });
    // Its last reading was at the beginning of the third.
    expect(flags(answer)).toEqual([true, true, true, false]);
  });

  it('of a device without expiry is complete, also without readings', async () => {
    const id = randomUUID();
    const [from, to] = [iso(today - 14 * day), iso(today - 13 * day)];
    await fixture.place({
      id,
      device: { lastSeenAt: today },
      blocks: everyMinutes(30, from, to).map((reading) => [reading]),
    });
    const kept = await ask(id, { ...inKolkata, from: iso(today - 20 * day) });
    expect(flags(kept)).not.toContain(true);
    const silent = { from: iso(today - 9 * day), to: iso(today - 8 * day), every: 'P1D' };
    expect(flags(await ask(id, silent))).toEqual([false]);
  });

  it('is not stored as empty where its readings expired before the rollup', async () => {
    const { id, blocks } = await device({ from: 15, to: 2 });
    const lost = { from: iso(today - 13 * day), to: iso(today - 12 * day), every: 'PT6H' };
    const known = blocks.filter((_, index) => index < 2 * 48);
    await before(known);
    await ask(id, { ...range, to: iso(today - 13 * day) }); // the 15th and 14th day back are rolled up
    for (const block of blocks) {
      if ((block.ttl ?? 0) * 1000 >= Date.now()) await fixture.put(block);
      else await fixture.delete(block);
    }
    const both = { ...range, every: 'PT6H', fn: 'count' };
    for (let time = 0; time < 2; time++) {
      expect(flags(await ask(id, both))).toEqual(times(4, [false, true]));
      expect(flags(await ask(id, lost))).toEqual(Array(4).fill(true));
    }
  });

  it('of a day that a late reading invalidated is made of its hours', async () => {
    const { id, blocks } = await device({ from: 12, to: 2 });
    await before(blocks);
    const start = today - 11 * day;
    const question = { from: iso(start), to: iso(start + day), every: 'P1D', fn: 'count' };
    expect(valuesOf(await ask(id, question), 'power', 'count')).toEqual([48]);
    for (const block of blocks) {
      if ((block.ttl ?? 0) * 1000 < Date.now()) await fixture.delete(block);
    }
    await fixture.put(invalidRollupItem(id, { width: 'P1D', start }, randomUUID()));
    for (let time = 0; time < 2; time++) {
      const answer = await ask(id, question);
      expect([valuesOf(answer, 'power', 'count'), flags(answer)]).toEqual([[48], [false]]);
    }
    expect(await fixture.requestsOf('Query', () => ask(id, question))).toBe(1);
  });
});

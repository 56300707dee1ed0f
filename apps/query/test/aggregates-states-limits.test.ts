import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { hour, minute } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';
import { askStates, day, doorOfDay, iso, midnight, minutesOf, placeDoor } from './states.ts';
import type { Reading } from '@engawa/model';
import type { DoorValues } from './states.ts';

const fixture = openBeforeAll(() => QueryFixture.open());

const device = (values: DoorValues) => placeDoor(fixture, values);
const ask = (of: string, question?: Record<string, string>) => askStates(fixture, of, question);

function pathOf(id: string, question: Record<string, string>): string {
  const search = new URLSearchParams({ ...doorOfDay, ...question });
  return `/v1/devices/${id}/aggregates?${search.toString()}`;
}

describe('many states', () => {
  it('are counted by themselves up to 100, all further ones and long texts together', async () => {
    const texts = Array.from({ length: 1440 }, (_, index) => [index, `text ${index}`] as const);
    const id = await device([...texts.slice(0, 50), [50, 'x'.repeat(257)], ...texts.slice(51)]);
    const [bucket] = await ask(id);
    const { values, others, changes } = bucket?.states['door'] ?? { values: [] };
    expect(values).toHaveLength(100);
    expect(others).toEqual({ duration: 1340 * 60, share: 1340 / 1440 });
    expect(changes).toBe(1439);
  });

  it('end a page early', async () => {
    const texts = Array.from({ length: 1440 }, (_, index) => [index, `text ${index}`] as const);
    const id = await device(texts);
    const small = await QueryFixture.open({ RESPONSE_BYTE_LIMIT: '20000' });
    try {
      await placeDoor(small, texts, id);
      const { body, text } = await small.ask(pathOf(id, { every: 'PT1H' }));
      const { items, cursor } = body as { items: unknown[]; cursor?: string };
      expect(items.length).toBeGreaterThan(0);
      expect(cursor).toBeDefined();
      expect(text.length).toBeLessThan(21_000);
      const hourly = { every: 'PT1H' };
      expect(await askStates(small, id, hourly)).toEqual(await ask(id, hourly));
    } finally {
      await small.close();
    }
  });
});

describe('the price of states', () => {
  it('ends a page early, and refuses a bucket that exceeds the limits of a request', async () => {
    const small = await QueryFixture.open({ REQUEST_UNIT_LIMIT: '20' });
    try {
      const id = randomUUID();
      const door = 'x'.repeat(200);
      const readings = Array.from({ length: 1440 }, (_, index) => ({
        time: midnight + index * minute,
        fields: { door, note: `${index}${'x'.repeat(4000)}` },
      }));
      await small.place({ id, blocks: single(readings) });
      const hours = await askStates(small, id, { every: 'PT1H' });
      expect(minutesOf(hours)).toEqual(hours.map(() => ({ [JSON.stringify(door)]: 60 })));
      expect(hours).toHaveLength(24);
      const { status, text } = await small.ask(pathOf(id, {}));
      expect([status, text]).toEqual([400, expect.stringContaining('query.every must be shorter')]);
    } finally {
      await small.close();
    }
  });

  it('is one GetItem, a Query of the values before, and one of the readings', async () => {
    const id = await device([
      [-24 * 60 * 30, false],
      [60, true],
    ]);
    await ask(id); // the device is cached from now on
    expect(await fixture.requestsOf('Query', () => ask(id))).toBe(2);
    expect(await fixture.requestsOf('GetItem', () => ask(id))).toBe(1);
  });
});

describe('an incomplete bucket of states', () => {
  it('is one whose value before it may have expired', async () => {
    const now = Date.now();
    const id = randomUUID();
    const retention = 10 * day;
    const time = now - 5 * day;
    const ttl = Math.floor((time + retention) / 1000);
    const blocks = single([{ time, fields: { door: true } }]);
    const range = { from: iso(now - 6 * day), to: iso(now - 4 * day), every: 'P1D' };
    const marked = async (registeredAt: number, of = randomUUID()) => {
      await fixture.place({ id: of, device: { registeredAt, lastSeenAt: time }, blocks, ttl });
      return (await ask(of, range)).map(({ incomplete = false }) => incomplete);
    };
    expect((await marked(now - 6 * day)).every((each) => !each)).toBe(true);
    const [first, ...rest] = await marked(0, id);
    expect(first).toBe(true);
    expect(rest.at(-1)).toBe(false);
  });

  it('is one that begins with its first report, where changes are counted', async () => {
    const now = Date.now();
    const time = now - (now % day) - 5 * day;
    const id = randomUUID();
    const ttl = Math.floor((time + 10 * day) / 1000);
    const blocks = single([{ time, fields: { door: true } }]);
    await fixture.place({ id, device: { registeredAt: 0, lastSeenAt: time }, blocks, ttl });
    const range = { from: iso(time - day), to: iso(time + 2 * day), every: 'P1D' };
    const marked = async (fn: string) =>
      (await ask(id, { ...range, fn })).map(({ incomplete = false }) => incomplete);
    expect(await marked('duration,share')).toEqual([true, false, false]);
    expect(await marked('changes')).toEqual([true, true, false]);
    expect(await marked('duration,changes')).toEqual([true, true, false]);
  });

  it('is one whose value before it was not found among many readings of other fields', async () => {
    const id = randomUUID();
    const of = (minutes: number, fields: Reading['fields']) => {
      return { time: midnight + minutes * minute, fields };
    };
    const note = 'n'.repeat(2000);
    const others = Array.from({ length: 200 }, (_, index) => of(index - 300, { note, index }));
    const readings = [of(-400, { door: true }), ...others, of(60, { door: false })];
    await fixture.place({ id, blocks: single(readings) });
    const marked = async (fn: string) => {
      const buckets = await ask(id, { fn, every: 'PT1H', to: iso(midnight + 3 * hour) });
      return buckets.map(({ incomplete = false }) => incomplete);
    };
    expect(await marked('duration')).toEqual([true, false, false]);
    expect(await marked('duration,changes')).toEqual([true, true, false]);
  });
});

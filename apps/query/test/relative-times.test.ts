import { randomUUID } from 'node:crypto';
import { aReading } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { ReadingsPage } from './query-fixture.ts';

const minute = 60_000;
const now = Date.parse('2026-11-20T09:30:00.000Z');

let fixture: QueryFixture;
let clock = now;
beforeAll(async () => {
  jest.spyOn(Date, 'now').mockImplementation(() => clock);
  fixture = await QueryFixture.open();
});
beforeEach(() => {
  clock = now;
});
afterAll(async () => {
  jest.restoreAllMocks();
  await fixture.close();
});

/** A device with a reading each minute of the last so many. */
async function device(minutes: number): Promise<string> {
  const id = randomUUID();
  const readings = Array.from({ length: minutes }, (_, index) =>
    aReading({ time: now - (minutes - index) * minute }),
  );
  await fixture.place({ id, device: { lastSeenAt: now }, blocks: single(readings) });
  return id;
}

async function ask(path: string, parameters: Record<string, string>) {
  const { status, body, text } = await fixture.ask(
    `${path}?${new URLSearchParams(parameters).toString()}`,
  );
  if (status !== 200) throw new Error(text);
  return body as Record<string, unknown> & { cursor?: string };
}

it.each([
  ['now-15m', 'now', 15],
  ['now-1h', 'now-30m', 30],
  ['now-3600s', undefined, 60],
])('readings from %s to %s are those of that time', async (from, to, expected) => {
  const id = await device(120);
  const given = { from, ...(to !== undefined && { to }), limit: '1000' };
  const { items } = (await ask(`/v1/devices/${id}/readings`, given)) as unknown as ReadingsPage;
  expect(items).toHaveLength(expected);
});

it.each(['readings', 'aggregates'])('pages of %s keep the now of the first one', async (name) => {
  const id = await device(60);
  const path = `/v1/devices/${id}/${name}`;
  const question = { from: 'now-1h', limit: '7', ...(name === 'aggregates' && { every: 'PT1M' }) };
  let [elements, cursor]: [unknown[], string | undefined] = [[], undefined];
  do {
    const page = await ask(path, { ...question, ...(cursor !== undefined && { cursor }) });
    elements = [...elements, ...(page['items'] as unknown[])];
    cursor = page.cursor;
    clock += 10 * minute;
  } while (cursor !== undefined);
  expect(elements).toHaveLength(60);
});

it.each([
  ['UTC', '2026-11-20T00:00:00.000Z'],
  ['Asia/Tokyo', '2026-11-19T15:00:00.000Z'],
])('a date is its midnight in %s', async (timeZone, midnight) => {
  const id = await device(1);
  const asked = { from: '2026-11-20', timeZone };
  const { items } = (await ask(`/v1/devices/${id}/aggregates`, asked)) as {
    items?: { from: string }[];
  };
  expect(items?.[0]?.from).toBe(midnight);
  const fields = await ask(`/v1/devices/${id}/fields`, asked);
  expect(Date.parse(String(fields['since']))).toBeGreaterThanOrEqual(Date.parse(midnight));
});

/** Of the days on which Berlin's clocks change. */
it.each([
  ['2026-03-29', '2026-03-30', '2026-03-28T23:00', '2026-03-29T22:00'],
  ['2026-10-25', '2026-10-26', '2026-10-24T22:00', '2026-10-25T23:00'],
  ['2026-10-25T02:30', '2026-10-25T03:00', '2026-10-25T00:30', '2026-10-25T02:00'],
  ['2026-03-29T02:30', '2026-03-29 04:00', '2026-03-29T01:30', '2026-03-29T02:00'],
])('from %s to %s in Berlin is one bucket of the day', async (from, to, begin, end) => {
  const id = await device(1);
  const path = `/v1/devices/${id}/aggregates`;
  const { items } = (await ask(path, { from, to, timeZone: 'Europe/Berlin', every: 'P1D' })) as {
    items?: unknown[];
  };
  expect(items).toEqual([
    expect.objectContaining({ from: `${begin}:00.000Z`, to: `${end}:00.000Z` }),
  ]);
});

it('a time that no year has is refused', async () => {
  const id = await device(1);
  for (const from of ['now-999999w', '0000-01-01']) {
    const asked = new URLSearchParams({ from, to: from, timeZone: 'Asia/Tokyo' });
    const { status, body } = await fixture.ask(`/v1/devices/${id}/readings?${asked.toString()}`);
    expect([status, body]).toMatchObject([400, { errors: [{ path: 'query.to' }] }]);
  }
});

describe('maxPoints', () => {
  it.each([
    ['now-1h', '60', 'PT1M', 60],
    ['now-24h', '800', 'PT2M', 720],
    ['now-7d', '100', 'PT2H', 85],
    ['now-366d', '3', 'P1Y', 2],
  ])('over %s: at most %s buckets', async (from, maxPoints, every, length) => {
    const id = await device(5);
    const answer = await ask(`/v1/devices/${id}/aggregates`, { from, maxPoints });
    expect(answer['every']).toBe(every);
    expect(answer['items']).toHaveLength(length);
    expect(answer.cursor).toBeUndefined();
  });

  it('cannot be combined with every', async () => {
    const { status, body } = await fixture.ask('/v1/devices/x/aggregates?maxPoints=8&every=P1D');
    expect([status, body]).toMatchObject([400, { errors: [{ path: 'query.maxPoints' }] }]);
  });
});

import { aReading, openBeforeAll } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';

const iso = (time: number) => new Date(time).toISOString();
const earliest = Date.parse('0000-01-01T00:00:00.000Z');
const latest = Date.parse('9999-12-31T23:59:59.999Z');
const day = 86_400_000;

const fixture = openBeforeAll(() => QueryFixture.open());
beforeAll(async () => {
  const times = [earliest, earliest + 1000, latest - 1000, latest - 1];
  await fixture.place({ id: 'clockless', blocks: single(times.map((time) => aReading({ time }))) });
});

const search = (parameters: Record<string, string>) => new URLSearchParams(parameters).toString();
const first = { from: iso(earliest), to: iso(earliest + 2 * day) };
const last = { from: iso(latest - 2 * day), to: iso(latest) };

describe('at the bounds of valid times', () => {
  it.each([first, last])('readings are given: %j', async (range) => {
    for (const order of ['asc', 'desc']) {
      const asked = { ...range, order, limit: '1' };
      const pages = await fixture.walk('clockless', asked);
      expect(pages.flatMap(({ items }) => items)).toHaveLength(2);
    }
  });

  it.each([
    [first, 'UTC', 200],
    [last, 'UTC', 200],
    [first, 'Asia/Tokyo', 200],
    [last, 'America/New_York', 200],
  ])('aggregates are given: %j, %s', async (range, timeZone) => {
    for (const every of ['PT1H', 'P1D', 'P1Y']) {
      const asked = { ...range, timeZone, every, fn: 'count,increase', limit: '1000' };
      const path = `/v1/devices/clockless/aggregates?${search(asked)}`;
      const { status, text } = await fixture.ask(path);
      expect([status, text]).toEqual([200, expect.stringContaining('localFrom') as string]);
    }
  });

  it.each([
    [first, 'America/New_York', 'query.from'],
    [last, 'Asia/Tokyo', 'query.to'],
  ])(
    'a year that a time zone has no digits for is refused: %j, %s',
    async (range, timeZone, path) => {
      for (const every of ['PT1H', 'P1D', 'P1Y']) {
        const asked = search({ ...range, timeZone, every });
        const { status, body } = await fixture.ask(`/v1/devices/clockless/aggregates?${asked}`);
        expect(status).toBe(400);
        expect(body).toMatchObject({ errors: [{ path }] });
      }
    },
  );
});

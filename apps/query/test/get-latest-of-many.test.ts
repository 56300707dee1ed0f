import { aReading, openBeforeAll } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { LatestPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const searchOf = (ids: readonly string[], more: Record<string, string> = {}) =>
  new URLSearchParams([
    ...ids.map((id): [string, string] => ['device', id]),
    ...Object.entries(more),
  ]).toString();

describe('GET /v1/latest', () => {
  const query = openBeforeAll(() => QueryFixture.open());
  beforeAll(async () => {
    for (const id of ['a', 'b', '居間']) {
      const readings = [0, 1, 2].map((index) =>
        aReading({ time: start + index, fields: { index } }),
      );
      await query.place({ id, blocks: single(readings) });
    }
  });

  it('returns each device once, in the order of the request, and names unknown ids', async () => {
    const ids = ['居間', 'nobody', 'a', 'a', 'b', 'nothing'];
    const { status, body } = await query.ask(`/v1/latest?${searchOf(ids, { readings: '2' })}`);
    expect(status).toBe(200);
    const { items: devices, missing, cursor } = body as LatestPage;
    expect(devices.map(({ device }) => device.id)).toEqual(['居間', 'a', 'b']);
    for (const { readings } of devices) {
      expect(readings.map(({ fields }) => fields['index'])).toEqual([2, 1]);
    }
    expect(missing).toEqual(['nobody', 'nothing']);
    expect(cursor).toBeUndefined();
  });

  it('costs one Query per device', async () => {
    const ids = Array.from({ length: 100 }, (_, index) => `many ${index}`);
    for (const id of ids) await query.place({ id, blocks: single([aReading()]) });
    const requests = await query.requestsOf('Query', async () => {
      const { body } = await query.ask(`/v1/latest?${searchOf(ids)}`);
      expect((body as LatestPage).items.map(({ device }) => device.id)).toEqual(ids);
    });
    expect(requests).toBe(100);
  });

  it('returns the rest on further pages where readings exceed the budget', async () => {
    const bulky = Array.from({ length: 20 }, (_, index) =>
      aReading({ time: start + index, fields: { text: 'x'.repeat(50_000) } }),
    );
    const ids = Array.from({ length: 6 }, (_, index) => `bulky ${index}`);
    for (const id of ids) await query.place({ id, blocks: single(bulky) });
    const pages: LatestPage[] = [];
    let cursor: string | undefined;
    do {
      const search = searchOf([...ids, 'nobody'], { readings: '20', ...(cursor && { cursor }) });
      pages.push((await query.ask(`/v1/latest?${search}`)).body as LatestPage);
      cursor = pages.at(-1)?.cursor;
    } while (cursor !== undefined);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.flatMap(({ items }) => items.map(({ device }) => device.id))).toEqual(ids);
    expect(pages.flatMap(({ missing }) => missing)).toEqual(['nobody']);
  });

  it.each([
    ['', 'query.device'],
    [searchOf(Array.from({ length: 101 }, (_, index) => String(index))), 'query.device'],
    ['device=a&device=', 'query.device[1]'],
    ['device=a&limit=0', 'query.limit'],
    ['device=a&limit=1&limit=2', 'query.limit'],
    ['device=a&readings=1001', 'query.readings'],
    ['device=a&cursor=AAAA', 'query.cursor'],
    ['device=a&devices=b', 'query.devices'],
  ])('refuses %s', async (search, path) => {
    const { status, body } = await query.ask(`/v1/latest?${search}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path }] });
  });
});

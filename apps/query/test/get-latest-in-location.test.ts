import { placeItem, roomItem } from '@engawa/model';
import { aReading, openBeforeAll } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { LatestPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const iso = (time: number) => new Date(time).toISOString();
const readings = (count: number) =>
  Array.from({ length: count }, (_, index) =>
    aReading({ time: start + index * 1000, fields: { index } }),
  );
const idsOf = (pages: readonly LatestPage[]) =>
  pages.flatMap(({ items }) => items.map(({ device }) => device.id));

describe('the latest of a room and of a place', () => {
  const query = openBeforeAll(() => QueryFixture.open());
  beforeAll(async () => {
    const named = { name: 'x', registeredAt: start, version: 1 };
    await query.put(placeItem({ id: 'empty', ...named }, 1));
    await query.put(roomItem({ place: 'empty', id: 'attic', ...named }, 1));
    for (const device of ['door', '～', '😀', 'gone']) {
      await query.place({ id: device, blocks: single(readings(3)) });
      const until = device === 'gone' ? { until: start } : {};
      await query.settle({ place: 'home', room: 'hall', device, since: 0, ...until });
    }
    await query.place({ id: 'upstairs' });
    await query.settle({ place: 'home', room: 'attic', device: 'upstairs', since: 0 });
    await query.settle({ place: 'home', room: 'hall', device: 'being erased', since: 0 });
  });

  it('are the devices there now, in byte order of ids, with their newest readings', async () => {
    const { status, body } = await query.ask('/v1/rooms/home/hall/latest?readings=2');
    expect(status).toBe(200);
    const newest = [2, 1].map((index) => ({ time: iso(start + index * 1000), fields: { index } }));
    expect(body).toEqual({
      items: ['door', '～', '😀'].map((id) => ({
        device: expect.objectContaining({ id }) as object,
        readings: newest,
      })),
    });
  });

  it('include all rooms of a place, and devices without readings', async () => {
    const { body } = await query.ask('/v1/places/home/latest');
    const { items: devices } = body as LatestPage;
    expect(devices.map(({ device }) => device.id)).toEqual(['door', 'upstairs', '～', '😀']);
    expect(devices.map((each) => each.readings.length)).toEqual([1, 0, 1, 1]);
  });

  it('cost one Query for the memberships and one per device', async () => {
    await query.settle({ place: 'small', room: 'hall', device: 'door', since: 0 });
    await query.settle({ place: 'small', room: 'hall', device: '😀', since: 0 });
    const asking = () => query.ask('/v1/rooms/small/hall/latest?readings=3');
    expect(await query.requestsOf('Query', asking)).toBe(1 + 2);
    expect(await query.requestsOf('GetItem', asking)).toBe(0);
  });

  it('come in pages of a hundred devices', async () => {
    const ids = Array.from({ length: 230 }, (_, index) => `unit-${String(index).padStart(3, '0')}`);
    for (const id of ids) await query.place({ id });
    for (const device of ids) await query.settle({ place: 'tower', device, since: 0 });
    const pages = await query.walkAll<LatestPage>('/v1/places/tower/latest', {});
    expect(idsOf(pages)).toEqual(ids);
    expect(pages.map(({ items }) => items.length)).toEqual([100, 100, 30]);
  });

  it('come in shorter pages where readings exceed the budget', async () => {
    const bulky = Array.from({ length: 15 }, (_, index) =>
      aReading({ time: start + index, fields: { text: 'x'.repeat(50_000) } }),
    );
    const ids = Array.from({ length: 6 }, (_, index) => `bulky-${index}`);
    for (const device of ids) {
      await query.place({ id: device, blocks: single(bulky) });
      await query.settle({ place: 'archive', device, since: 0 });
    }
    const pages = await query.walkAll<LatestPage>('/v1/places/archive/latest', { readings: '15' });
    expect(idsOf(pages)).toEqual(ids);
    expect(pages.length).toBeGreaterThan(1);
    expect(pages.every(({ items }) => items.every((each) => each.readings.length === 15))).toBe(
      true,
    );
  });

  it.each([
    ['/v1/rooms/empty/attic/latest', 200, { items: [] }],
    ['/v1/places/empty/latest', 200, { items: [] }],
    [
      '/v1/rooms/empty/cellar/latest',
      404,
      { detail: 'There is no room "cellar" in place "empty".' },
    ],
    ['/v1/places/nowhere/latest', 404, { detail: 'There is no place "nowhere".' }],
    ['/v1/places/home/latest?limit=0', 400, { errors: [{ path: 'query.limit' }] }],
    ['/v1/places/home/latest?cursor=AAAA', 400, { errors: [{ path: 'query.cursor' }] }],
    ['/v1/places/home/latest?from=0', 400, { errors: [{ path: 'query.from' }] }],
  ])('answers %s with %d', async (path, status, body) => {
    const answer = await query.ask(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(body);
  });
});

import { placeItem, roomItem } from '@engawa/model';
import { aReading, openBeforeAll } from '@engawa/testing';
import { packed, QueryFixture, single } from './query-fixture.ts';
import type { Reading } from '@engawa/model';
import type { ReadingsPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const iso = (time: number) => new Date(time).toISOString();
const range = { from: iso(start), to: iso(start + 3_600_000) };
/** A reading every ten seconds, each device at a second of its own. */
const readingsOf = (second: number, count = 60): Reading[] =>
  Array.from({ length: count }, (_, index) =>
    aReading({ time: start + index * 10_000 + second * 1000, fields: { index } }),
  );
const shown = (device: string, readings: readonly Reading[]) =>
  readings.map(({ time, fields }) => ({ device, time: iso(time), fields }));
const inOrder = (readings: ReturnType<typeof shown>) =>
  readings.toSorted((left, right) => (left.time < right.time ? -1 : 1));
const readingsIn = (pages: readonly ReadingsPage[]) => pages.flatMap(({ items }) => items);

describe('readings of a room and of a place', () => {
  const query = openBeforeAll(() => QueryFixture.open());
  beforeAll(async () => {
    const named = { name: 'x', registeredAt: start, version: 1 };
    await query.put(placeItem({ id: 'empty', ...named }, 1));
    await query.put(roomItem({ place: 'empty', id: 'attic', ...named }, 1));
  });

  describe.each(['single', 'packed'])('of devices with %s readings', (how) => {
    const place = `house ${how}`;
    const ids = [0, 1, 2, 3, 4].map((number) => `${place} ${number}`);
    const all = ids.flatMap((id, second) => shown(id, readingsOf(second)));
    const address = `/v1/rooms/${place}/hall/readings`;
    const walk = (parameters: Record<string, string>) =>
      query.walkAll<ReadingsPage>(address, { ...range, ...parameters });
    beforeAll(async () => {
      for (const [second, id] of ids.entries()) {
        const readings = readingsOf(second);
        const blocks = how === 'single' ? single(readings) : packed(readings);
        await query.place({ id, blocks: [...blocks, readings.slice(3, 4)] });
        await query.settle({ place, room: 'hall', device: id, since: start - 1 });
      }
    });

    it.each(['asc', 'desc'])(
      'are complete and without duplicates, %s, for every limit',
      async (order) => {
        for (const limit of ['7', '100', '1000']) {
          const pages = await walk({ order, limit });
          const expected = inOrder(all);
          expect(readingsIn(pages)).toEqual(order === 'asc' ? expected : expected.reverse());
          expect(pages.slice(0, -1).every(({ items }) => items.length === Number(limit))).toBe(
            true,
          );
        }
      },
    );

    it.each(['asc', 'desc'])(
      'cost one Query per device and page, %s, with cached memberships',
      async (order) => {
        await walk({});
        let pages: ReadingsPage[] = [];
        const requests = await query.requestsOf('Query', async () => {
          pages = await walk({ order, limit: '50' });
        });
        expect(pages.length).toBeLessThanOrEqual(7);
        // One more where the walk before took so long that who is there was forgotten.
        expect(requests).toBeLessThanOrEqual(pages.length * ids.length + 1);
        const others = await query.requestsOf('GetItem', () => walk({ order, limit: '50' }));
        expect(others).toBeLessThanOrEqual(ids.length);
      },
    );

    it('are the same of the place', async () => {
      const pages = await query.walkAll<ReadingsPage>(`/v1/places/${place}/readings`, range);
      expect(readingsIn(pages)).toEqual(inOrder(all));
    });
  });

  it('are those of a device during its stay, also after its return, and those of its successor', async () => {
    const place = 'moves';
    const readings = readingsOf(0);
    const [a, b, c, d] = [10, 20, 30, 40].map((index) => start + index * 10_000);
    const hall = { place, room: 'hall' };
    await query.place({ id: 'mover', blocks: packed(readings) });
    await query.place({ id: 'successor', blocks: packed(readings) });
    await query.settle({ ...hall, device: 'mover', since: a ?? 0, until: b });
    await query.settle({ place, room: 'attic', device: 'mover', since: b ?? 0, until: c });
    await query.settle({ ...hall, device: 'mover', since: c ?? 0, until: d });
    await query.settle({ ...hall, device: 'successor', since: d ?? 0 });
    const expected = [
      ...shown('mover', [...readings.slice(10, 20), ...readings.slice(30, 40)]),
      ...shown('successor', readings.slice(40)),
    ];
    for (const limit of ['3', '10', '1000']) {
      const asked = { ...range, limit };
      const inHall = await query.walkAll<ReadingsPage>('/v1/rooms/moves/hall/readings', asked);
      expect(readingsIn(inHall)).toEqual(expected);
      const inPlace = await query.walkAll<ReadingsPage>('/v1/places/moves/readings', asked);
      expect(readingsIn(inPlace)).toEqual([
        ...shown('mover', readings.slice(10, 40)),
        ...shown('successor', readings.slice(40)),
      ]);
    }
  });

  it('of a device that was there at another time cost no Query', async () => {
    const place = 'later';
    await query.place({ id: 'before', blocks: single(readingsOf(0)) });
    await query.settle({ place, room: 'hall', device: 'before', since: 0, until: start });
    const requests = await query.requestsOf('Query', async () => {
      const address = '/v1/rooms/later/hall/readings';
      const { body } = await query.ask(`${address}?from=${range.from}&to=${range.to}`);
      expect(body).toEqual({ items: [] });
    });
    expect(requests).toBe(1);
  });

  describe('take no more Queries than they need', () => {
    const hour = 3_600_000;
    const hours = (count: number) => iso(start + count * hour);
    const queriesOf = (room: string, to: string, limit: number) =>
      query.requestsOf('Query', async () => {
        const asked = new URLSearchParams({ from: range.from, to, limit: String(limit) });
        const { body } = await query.ask(`/v1/rooms/frugal/${room}/readings?${asked.toString()}`);
        expect((body as ReadingsPage).items).toHaveLength(limit);
      });
    beforeAll(async () => {
      const quick = Array.from({ length: 900 }, (_, index) => aReading({ time: start + index }));
      const slow = Array.from({ length: 200 }, (_, index) =>
        aReading({ time: start + index * hour }),
      );
      await query.place({ id: 'quick', blocks: single(quick) });
      await query.place({ id: 'slow', blocks: single(slow) });
    });

    it('of a device that hardly reports', async () => {
      for (const device of ['quick', 'slow']) {
        await query.settle({ place: 'frugal', room: 'paces', device, since: 0 });
      }
      // Who is there; the slow one; the quick one's half, and its rest.
      expect(await queriesOf('paces', hours(300), 100)).toBe(1 + 1 + 2);
    });

    it('of devices that come later', async () => {
      await query.settle({ place: 'frugal', room: 'first', device: 'quick', since: 0 });
      for (const device of ['slow', 'slower', 'slowest']) {
        await query.place({ id: device });
        await query.settle({ place: 'frugal', room: 'first', device, since: start + hour });
      }
      expect(await queriesOf('first', hours(2), 100)).toBe(1 + 1);
    });

    it('of a device that left and returned at once', async () => {
      const slices = [0, start + 10, start + 20, start + 30];
      for (const [index, since] of slices.entries()) {
        const until = slices[index + 1];
        await query.settle({ place: 'frugal', room: 'door', device: 'quick', since, until });
      }
      expect(await queriesOf('door', hours(1), 100)).toBe(1 + 1);
    });
  });

  it('omits a device that is being purged', async () => {
    await query.settle({ place: 'ruin', room: 'hall', device: 'erased', since: 0 });
    const { status, body } = await query.ask('/v1/rooms/ruin/hall/readings');
    expect({ status, body }).toEqual({ status: 200, body: { items: [] } });
  });

  it('keeps readings of one moment, by device and in the order of receipt', async () => {
    const place = 'ties';
    const ids = ['t', 't～', 't😀']; // in the order of their bytes
    const contents = [1, 2, 3].map((value) => aReading({ time: start, fields: { value } }));
    for (const id of ids) {
      await query.place({ id, blocks: [...single(contents), ...single(contents)] });
      await query.settle({ place, room: 'hall', device: id, since: 0 });
    }
    const expected = ids.flatMap((id) => shown(id, contents));
    for (const order of ['asc', 'desc']) {
      for (const limit of ['1', '2', '4', '100']) {
        const asked = { ...range, order, limit };
        const pages = await query.walkAll<ReadingsPage>('/v1/rooms/ties/hall/readings', asked);
        expect(readingsIn(pages)).toEqual(order === 'asc' ? expected : expected.toReversed());
      }
    }
  });

  it.each([
    ['/v1/rooms/empty/attic/readings', 200, { items: [] }],
    ['/v1/places/empty/readings', 200, { items: [] }],
    [
      '/v1/rooms/empty/cellar/readings',
      404,
      { detail: 'There is no room "cellar" in place "empty".' },
    ],
    [
      '/v1/rooms/nowhere/attic/readings',
      404,
      { detail: 'There is no room "attic" in place "nowhere".' },
    ],
    ['/v1/places/nowhere/readings', 404, { detail: 'There is no place "nowhere".' }],
  ])('answers %s with %d', async (path, status, body) => {
    const answer = await query.ask(path);
    expect(answer.status).toBe(status);
    expect(answer.body).toMatchObject(body);
  });

  it('rejects a cursor of another room', async () => {
    for (const room of ['one', 'two']) {
      await query.settle({ place: 'rooms', room, device: 'quick', since: 0 });
    }
    const parameters = new URLSearchParams({ ...range, limit: '1' }).toString();
    const { body } = await query.ask(`/v1/rooms/rooms/one/readings?${parameters}`);
    const { cursor = '' } = body as ReadingsPage;
    const own = await query.ask(`/v1/rooms/rooms/one/readings?${parameters}&cursor=${cursor}`);
    expect(own.status).toBe(200);
    const other = await query.ask(`/v1/rooms/rooms/two/readings?${parameters}&cursor=${cursor}`);
    expect(other.status).toBe(400);
    expect(other.body).toMatchObject({ errors: [{ path: 'query.cursor' }] });
  });
});

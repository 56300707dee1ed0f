import { placementKey } from '@engawa/keys';
import { eventAttributes } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, itemsOf, minute, move, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);

/** As ingestion does when a device reports an event. */
async function report(place: string, device: string, contact: string, time: string): Promise<void> {
  const set = eventAttributes({ time: Date.parse(time), fields: { contact }, receivedAt: 0 });
  await registry.table.update(placementKey(place, device), { set });
}

async function doorsAt(place: string, ...ids: string[]): Promise<void> {
  await registry.put(...ids.map((id) => aDevice({ id, name: `${id} door`, kind: 'contact' })));
  for (const id of ids) {
    expect(await move(registry, id, place, { room: 'hall', since: minute(0) })).toMatchObject({
      status: 200,
    });
  }
}

const get = (place: string, query = ''): Promise<TestResponse> =>
  registry.ask(`${pathOf('places', place)}${query}`);

describe('a house with two doors', () => {
  const shown = (id: string, event: object = {}) => ({
    device: id,
    name: `${id} door`,
    kind: 'contact',
    room: 'hall',
    since: minute(0),
    ...event,
  });
  const front = shown('front', { lastEventAt: minute(5), lastEvent: { contact: 'open' } });
  const back = shown('back', { lastEventAt: minute(7), lastEvent: { contact: 'closed' } });

  beforeAll(async () => {
    await build(registry, 'house', ['hall', 'kitchen'], 'Our house');
    await doorsAt('house', 'front', 'back');
    await report('house', 'front', 'open', minute(5));
    await report('house', 'back', 'closed', minute(7));
  });

  it('returns both with their last events and the rooms, by one Query', async () => {
    const cost = await registry.costOf(async () => {
      const { status, headers, body } = await get('house');
      expect(status).toBe(200);
      expect(headers.get('etag')).toMatch(/^"1-[0-9A-Z]{9}\.[\w-]{22}"$/);
      expect(body).toEqual({
        id: 'house',
        name: 'Our house',
        registeredAt: expect.any(String) as string,
        version: 1,
        devices: [back, front],
        rooms: ['hall', 'kitchen'].map((id) => ({
          place: 'house',
          id,
          name: id,
          registeredAt: expect.any(String) as string,
          version: 1,
        })),
      });
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it('gains a third, and nothing else changes', async () => {
    const before = (await get('house')).body as { devices: unknown[] };
    await doorsAt('house', 'cellar');
    expect((await get('house')).body).toEqual({
      ...before,
      devices: [back, shown('cellar'), front],
    });
  });

  it('lists its devices and its rooms, each for one Query, also row by row', async () => {
    const cost = await registry.costOf(async () => {
      const [devices] = await walk(registry, '/v1/places/house/devices');
      expect(devices).toEqual({ items: [back, shown('cellar'), front] });
      const [rooms] = await walk(registry, '/v1/places/house/rooms');
      expect(rooms?.items.map(({ id }) => id)).toEqual(['hall', 'kitchen']);
    });
    expect(cost).toEqual({ Query: 2 });
    const headers = { accept: 'text/csv' };
    const { body } = await registry.ask('/v1/places/house/devices?limit=1', { headers });
    expect(body).toBe(
      'device,name,kind,room,since,lastEventAt,lastEvent\r\n' +
        `back,back door,contact,hall,${minute(0)},${minute(7)},"{""contact"":""closed""}"\r\n`,
    );
  });
});

it('gives a last event to the digit', async () => {
  await build(registry, 'exact', ['hall']);
  await doorsAt('exact', 'digits');
  const set = eventAttributes({
    time: Date.parse(minute(1)),
    fields: { action: 'turn', button: 7 },
    receivedAt: 0,
  });
  await registry.table.update(placementKey('exact', 'digits'), { set });
  expect((await get('exact')).body).toMatchObject({
    devices: [{ lastEvent: { action: 'turn', button: 7 } }],
  });
});

describe('a large building', () => {
  const rooms = Array.from({ length: 5 }, (_, index) => `room-${index}`);
  const devices = Array.from({ length: 7 }, (_, index) => `tower-${index}`);

  beforeAll(async () => {
    await build(registry, 'tower', ['hall', ...rooms]);
    await doorsAt('tower', ...devices);
  });

  it.each([1, 2, 6, 7, 8, 12, 13])(
    'is walked in pages of %d, each with the place',
    async (limit) => {
      const found: string[] = [];
      let pages = 0;
      let query = `?limit=${limit}`;
      for (;;) {
        const { status, body } = await get('tower', query);
        expect(status).toBe(200);
        const page = body as {
          id: string;
          devices: { device: string }[];
          rooms: { id: string }[];
          cursor?: string;
        };
        pages += 1;
        expect(page.id).toBe('tower');
        expect(page.devices.length + page.rooms.length).toBeLessThanOrEqual(limit);
        found.push(...page.devices.map(({ device }) => device), ...page.rooms.map(({ id }) => id));
        if (page.cursor === undefined) break;
        query = `?limit=${limit}&cursor=${page.cursor}`;
      }
      expect(found).toEqual([...devices, 'hall', ...rooms]);
      expect(pages).toBe(Math.ceil(found.length / limit));
    },
  );

  it.each(['1', '3', '7'])('lists its devices and rooms in pages of %s', async (limit) => {
    const devicePages = await walk(registry, '/v1/places/tower/devices', { limit });
    expect(itemsOf(devicePages).map(({ device }) => device)).toEqual(devices);
    const roomPages = await walk(registry, '/v1/places/tower/rooms', { limit });
    expect(itemsOf(roomPages).map(({ id }) => id)).toEqual(['hall', ...rooms]);
  });

  it('costs one request per page with the place, and one GetItem more per page without it', async () => {
    const cost = async (path: string) => registry.costOf(() => registry.ask(path));
    expect(await cost('/v1/places/tower')).toEqual({ Query: 1 });
    expect(await cost('/v1/places/tower?limit=2')).toEqual({ Query: 1, GetItem: 1 });
    expect(await cost('/v1/places/tower/rooms?limit=2')).toEqual({ Query: 1 });
  });
});

describe('a missing place', () => {
  it.each(['', '/rooms', '/devices'])('is not found: GET /v1/places/nowhere%s', async (path) => {
    const { status, body } = await registry.ask(`/v1/places/nowhere${path}`);
    expect(status).toBe(404);
    expect(body).toMatchObject({
      type: '/problems/place-not-found',
      detail: 'There is no place "nowhere".',
    });
  });

  it('is not found while its items are being purged', async () => {
    await build(registry, 'ruin', ['hall']);
    await doorsAt('ruin', 'left-1', 'left-2');
    await registry.table.delete({ pk: 'PLACE#ruin', sk: 'PLACE#ruin' });
    expect(await get('ruin')).toMatchObject({ status: 404 });
    expect(await get('ruin', '?limit=1')).toMatchObject({ status: 404 });
    expect(await registry.ask('/v1/places/ruin/rooms')).toMatchObject({ status: 404 });
    expect(await registry.ask('/v1/places/ruin/devices?limit=1')).toMatchObject({ status: 404 });
  });

  it('excludes devices whose ids begin with the same characters', async () => {
    await build(registry, 'flat', ['a']);
    await build(registry, 'flat1', ['b']);
    await build(registry, 'flat#1', ['c']);
    expect((await get('flat')).body).toMatchObject({ rooms: [{ id: 'a' }] });
    expect(((await get('flat')).body as { rooms: unknown[] }).rooms).toHaveLength(1);
  });
});

import { aDevice, openBeforeAll, until } from '@engawa/testing';
import { allOf } from './everything-of.ts';
import { build, minute, move, pathOf } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);

function remove(path: string, ifMatch?: string): Promise<TestResponse> {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return registry.ask(path, { method: 'DELETE', headers });
}

async function get(path: string): Promise<Record<string, unknown>> {
  const answer = await registry.ask(path);
  expect(answer.status).toBe(200);
  return answer.body as Record<string, unknown>;
}

async function leftIn(...partitions: string[]): Promise<number> {
  const found = await Promise.all(partitions.map((pk) => allOf(registry.table, pk)));
  return found.flat().length;
}

/** A house of two rooms, with a device in each and one in none, that have been elsewhere in it before. */
async function seededHouse(place: string): Promise<string[]> {
  await build(registry, place, ['hall', 'bath']);
  const devices = ['lamp', 'tap', 'door'].map((name) => `${place} ${name}`);
  await registry.put(...devices.map((id) => aDevice({ id })));
  const [lamp = '', tap = '', door = ''] = devices;
  await move(registry, lamp, place, { room: 'bath', since: minute(1) });
  await move(registry, lamp, place, { room: 'hall', since: minute(2) });
  await move(registry, tap, place, { room: 'bath', since: minute(3) });
  await move(registry, door, place, { since: minute(4) });
  return devices;
}

describe('DELETE /v1/places/{id}', () => {
  it('is deleted immediately by one transaction; its rooms and history are purged, its devices unplaced', async () => {
    const devices = await seededHouse('home');
    const others = await seededHouse('home#hall');
    const neighbour = await get('/v1/places/home%23hall');
    expect(await remove('/v1/places/home')).toMatchObject({ status: 204 });
    expect(await registry.ask('/v1/places/home')).toMatchObject({ status: 404 });
    await until('nothing of it', async () => {
      const partitions = ['PLACE#home', 'ROOM#home', 'ROOM#home#hall', 'ROOM#home#bath'];
      return (await leftIn(...partitions)) === 0;
    });
    for (const id of devices) {
      const device = await get(pathOf('devices', id));
      expect(device).not.toHaveProperty('place');
      expect(device).not.toHaveProperty('room');
      expect(await get(`${pathOf('devices', id)}/placements`)).toEqual({ items: [] });
    }
    expect(await get('/v1/places/home%23hall')).toEqual(neighbour);
    for (const id of others) expect(await get(pathOf('devices', id))).toHaveProperty('place');
    const { items } = (await get('/v1/rooms')) as { items: { place: string }[] };
    expect(items.map(({ place }) => place)).toEqual(['home#hall', 'home#hall']);
  });

  it('cannot be repeated, and requires the expected version', async () => {
    await build(registry, 'hut');
    const answers = [
      await remove('/v1/places/hut', '"7"'),
      await remove('/v1/places/hut', '"1"'),
      await remove('/v1/places/hut'),
    ];
    expect(answers.map(({ status }) => status)).toEqual([412, 204, 404]);
    expect(answers[0]?.body).toMatchObject({ detail: 'The place "hut" has version 1 now.' });
  });

  it('does not move a device that has moved to another place meanwhile', async () => {
    const devices = await seededHouse('old');
    await build(registry, 'new', ['hall']);
    await Promise.all([
      remove('/v1/places/old'),
      ...devices.map((id) => move(registry, id, 'new', { room: 'hall' })),
    ]);
    await until('nothing of it', async () => (await leftIn('PLACE#old', 'ROOM#old')) === 0);
    for (const id of devices) {
      expect(await get(pathOf('devices', id))).toMatchObject({ place: 'new', room: 'hall' });
    }
    expect(await get('/v1/rooms/new/hall')).toMatchObject({
      devices: devices.toSorted().map((device) => ({ device })),
    });
  });

  it('removes devices that were placed there with a future beginning, too', async () => {
    await build(registry, 'later');
    await registry.put(aDevice({ id: 'early' }));
    await move(registry, 'early', 'later', { since: Date.now() + 30_000 });
    await remove('/v1/places/later');
    await until('nothing of it', async () => (await leftIn('PLACE#later', 'ROOM#later')) === 0);
    expect(await get('/v1/devices/early')).not.toHaveProperty('place');
  });
});

describe('DELETE /v1/rooms/{place}/{room}', () => {
  it('leaves its devices at the place, in no room, and their history there', async () => {
    const [lamp = '', tap = ''] = await seededHouse('villa');
    expect(await remove('/v1/rooms/villa/bath')).toMatchObject({ status: 204 });
    expect(await registry.ask('/v1/rooms/villa/bath')).toMatchObject({ status: 404 });
    await until('nothing of it', async () => (await leftIn('ROOM#villa#bath')) === 0);
    const device = await get(pathOf('devices', tap));
    expect(device).toMatchObject({ place: 'villa' });
    expect(device).not.toHaveProperty('room');
    expect(await get(pathOf('devices', lamp))).toMatchObject({ place: 'villa', room: 'hall' });
    const house = (await get('/v1/places/villa')) as {
      rooms: { id: string }[];
      devices: { device: string; room?: string }[];
    };
    expect(house.rooms.map(({ id }) => id)).toEqual(['hall']);
    expect(house.devices.map(({ room }) => room)).toEqual([undefined, 'hall', undefined]);
    const { items } = await get(`${pathOf('devices', tap)}/placements`);
    expect(items).toEqual([{ place: 'villa', since: minute(3) }]);
  });

  it('cannot be repeated, and requires the expected version', async () => {
    await build(registry, 'shed', ['corner']);
    const path = '/v1/rooms/shed/corner';
    const answers = [await remove(path, '"7"'), await remove(path, '"1"'), await remove(path)];
    expect(answers.map(({ status }) => status)).toEqual([412, 204, 404]);
  });

  it('ends where its place is deleted meanwhile', async () => {
    const devices = await seededHouse('both');
    await remove('/v1/rooms/both/bath');
    await remove('/v1/places/both');
    await until('nothing of either', async () => {
      return (await leftIn('PLACE#both', 'ROOM#both', 'ROOM#both#hall', 'ROOM#both#bath')) === 0;
    });
    for (const id of devices) {
      expect(await get(pathOf('devices', id))).not.toHaveProperty('place');
    }
  });
});

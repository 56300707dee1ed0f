import { openBeforeAll } from '@engawa/testing';
import { build, minute, move, pathOf } from './places.ts';
import { startRegistry } from './registry.ts';

const maxBytes = 1000;
/** The envelope of a page: its cursor, and the room. */
const envelope = 700;

const ids = Array.from({ length: 30 }, (_, index) => `d${String(index).padStart(2, '0')}`);
const rooms = ids.map((id) => `room-${id}`);

interface Page {
  items?: Record<string, unknown>[];
  devices?: Record<string, unknown>[];
  rooms?: Record<string, unknown>[];
  cursor?: string;
}

describe('a page of the registry that would exceed RESPONSE_BYTE_LIMIT', () => {
  const registry = openBeforeAll(() => startRegistry({ RESPONSE_BYTE_LIMIT: String(maxBytes) }));
  beforeAll(async () => {
    await build(registry, 'home', rooms);
    for (const [index, id] of ids.entries()) {
      // One of them is larger than a page.
      const metadata = { note: 'é'.repeat(index === 4 ? 1200 : 20 * (index % 7)) };
      const body = { name: `Lamp ${id}`, kind: 'other', labels: { floor: '1' }, metadata };
      const made = await registry.ask(pathOf('devices', id), { method: 'PUT', body });
      expect(made).toMatchObject({ status: 201, body: { id } });
      const moved = await move(registry, id, 'home', { room: 'room-d00', since: minute(index) });
      expect(moved).toMatchObject({ status: 200 });
    }
    for (const room of rooms) await move(registry, 'd29', 'home', { room });
  });

  /** The elements of all pages, none of which exceeds the limit, unless it has one element. */
  async function elementsOf(path: string): Promise<Record<string, unknown>[]> {
    const found: Record<string, unknown>[] = [];
    let [pages, cursor]: [number, string | undefined] = [0, undefined];
    do {
      const parameters = new URLSearchParams({ limit: '1000', ...(cursor && { cursor }) });
      const separator = path.includes('?') ? '&' : '?';
      const { status, body } = await registry.ask(`${path}${separator}${parameters.toString()}`);
      expect(status).toBe(200);
      const page = body as Page;
      const elements = page.items ?? [...(page.devices ?? []), ...(page.rooms ?? [])];
      const bytes = Buffer.byteLength(JSON.stringify(body));
      if (elements.length > 1) expect(bytes).toBeLessThan(maxBytes + envelope);
      found.push(...elements);
      ({ cursor } = page);
      pages += 1;
      expect(pages).toBeLessThan(80);
    } while (cursor !== undefined);
    expect(pages).toBeGreaterThan(1);
    return found;
  }

  it.each<[string, string, string, readonly string[]]>([
    ['devices by name', '/v1/devices', 'id', ids],
    ['devices by the time when they were last seen', '/v1/devices?order=lastSeen', 'id', ids],
    ['devices of a place', '/v1/devices?place=home', 'id', ids],
    ['devices with a label', '/v1/devices?label=floor%3D1&order=-lastSeen', 'id', ids],
    ['devices at a place', '/v1/places/home/devices', 'device', ids],
    ['rooms of a place', '/v1/places/home/rooms', 'id', rooms],
    ['all rooms', '/v1/rooms', 'id', rooms],
    ['a room with its devices', '/v1/rooms/home/room-d00', 'device', ids.slice(0, -1)],
  ])('ends earlier, and all pages have each element once: %s', async (_, path, name, expected) => {
    const found = (await elementsOf(path)).map((element) => element[name]);
    expect(found.toSorted()).toEqual(expected);
  });

  it('ends earlier: a place with its devices, and then its rooms', async () => {
    const found = await elementsOf('/v1/places/home');
    expect(found.map(({ device, id }) => device ?? id)).toEqual([...ids, ...rooms]);
  });

  it('ends earlier: the former rooms of a device, newest first', async () => {
    const found = (await elementsOf(pathOf('devices', 'd29', 'placements'))).map(
      ({ since }) => since as string,
    );
    expect(found).toHaveLength(rooms.length);
    expect(found).toEqual(found.toSorted().toReversed());
  });
});

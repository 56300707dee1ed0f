import { CursorCodec, cursorContext } from '@engawa/http';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { pino } from 'pino';
import { startRegistry } from './registry.ts';
import type { JsonValue } from '@engawa/http';

const secret = 'a secret of more than thirty-two characters';
const cursors = new CursorCodec({ secret, log: pino({ enabled: false }) });

/** The lists, and the questions that their cursors are bound to. */
const lists: [string, string][] = [
  [
    '/v1/devices',
    cursorContext('listDevices', { namePrefix: null, order: 'name', silentFor: null }),
  ],
  [
    '/v1/devices?order=lastSeen',
    cursorContext('listDevices', { namePrefix: null, order: 'lastSeen', silentFor: null }),
  ],
  [
    '/v1/devices?silentFor=PT1H',
    cursorContext('listDevices', { namePrefix: null, order: 'lastSeen', silentFor: 3_600_000 }),
  ],
  ['/v1/devices/d/placements', cursorContext('listPlacements', { id: 'd' })],
  ['/v1/places', cursorContext('listPlaces', { namePrefix: null })],
  ['/v1/rooms', cursorContext('listRooms', { namePrefix: null })],
  ['/v1/places/p', cursorContext('getPlace', { id: 'p' })],
  ['/v1/places/p/rooms', cursorContext('listRoomsOfPlace', { id: 'p' })],
  ['/v1/places/p/devices', cursorContext('listDevicesOfPlace', { id: 'p' })],
  ['/v1/rooms/p/r', cursorContext('getRoom', { place: 'p', room: 'r' })],
];

const positions: JsonValue[] = ['', 'x', '#', '$', 7, null, [], ['x'], [1, 'x'], { after: 'x' }];

describe('a cursor that another release signed', () => {
  const registry = openBeforeAll(() => startRegistry({ CURSOR_SECRET: secret }));
  beforeAll(async () => {
    await registry.put(aDevice({ id: 'd' }));
    const put = (path: string) => registry.ask(path, { method: 'PUT', body: { name: 'x' } });
    await put('/v1/places/p');
    await put('/v1/rooms/p/r');
  });

  it.each(lists)('never breaks %s', async (path, question) => {
    const answers = [];
    for (const position of positions) {
      const cursor = cursors.encode(question, position);
      const separator = path.includes('?') ? '&' : '?';
      const { status, body } = await registry.ask(`${path}${separator}cursor=${cursor}`);
      answers.push([position, status, (body as { type?: string }).type]);
    }
    const broken = answers.filter(([, status]) => ![200, 400].includes(status as number));
    expect(broken).toEqual([]);
    // Or the questions above are not those of the routes.
    expect(answers).toContainEqual([{ after: 'x' }, 400, '/problems/invalid-cursor']);
  });
});

import { deviceId, midnight, sensorsOf } from './seed-table.ts';
import { lengthOf, search } from './pattern.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

function items(
  services: MeteredServices,
  path: string,
  question: Record<string, string | number> = {},
) {
  return lengthOf(services, ['registry', `${path}?${search({ limit: 10, ...question })}`], 'items');
}

/** Devices that were not seen since midnight: whole seconds; a test takes less than the hours between two devices. */
function sinceMidnight(): string {
  return `PT${Math.floor((Date.now() - midnight) / 1000)}S`;
}

/** Queries of the registry. */
export const registryPatterns: Pattern[] = [
  {
    ask: 'a device',
    how: 'GetItem, consistent',
    requests: '1',
    expected: { GetItem: 1 },
    run: async (services) =>
      (await services.ask('registry', `/v1/devices/${deviceId(0)}`)).body['id'],
    gives: deviceId(0),
  },
  {
    ask: 'a place with its 2 rooms and 6 devices, each with its last event',
    how: 'Query of its partition, consistent',
    requests: '1 per page',
    expected: { Query: 1 },
    run: async (services) => {
      const { body } = await services.ask('registry', '/v1/places/old-town');
      const devices = body['devices'] as { lastEvent?: unknown }[];
      return [devices.filter(({ lastEvent }) => lastEvent).length, (body['rooms'] as []).length];
    },
    gives: [6, 2],
  },
  {
    ask: 'a room with its current devices',
    how: 'BatchGetItem of the room and its place, and Query of its memberships',
    requests: '1 + 1 per page',
    expected: { BatchGetItem: 1, Query: 1 },
    run: (services) => lengthOf(services, ['registry', '/v1/rooms/old-town/living'], 'devices'),
    gives: 3,
  },
  {
    ask: 'location and history of a device',
    how: 'GetItem, and gsi1 in descending order',
    requests: '1 + 1 per page',
    expected: { GetItem: 1, 'Query gsi1': 1 },
    run: (services) => items(services, `/v1/devices/${sensorsOf('old-town')[5] ?? ''}/placements`),
    gives: 2,
  },
  {
    ask: 'devices by name, a page of 10',
    how: 'gsi1',
    requests: 'shards',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, '/v1/devices'),
    gives: 10,
  },
  {
    ask: 'devices by name prefix, a page of 10',
    how: 'gsi1',
    requests: 'shards',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, '/v1/devices', { namePrefix: 'ｓｅｎＳＯＲ' }),
    gives: 10,
  },
  {
    ask: 'devices by last seen, a page of 10',
    how: 'gsi2',
    requests: 'shards',
    expected: { 'Query gsi2': 1 },
    run: (services) => items(services, '/v1/devices', { order: 'lastSeen' }),
    gives: 10,
  },
  {
    ask: 'devices silent since t: 8, of which 3 were last seen within the hour before t',
    how: 'gsi2, and a Query of the newest block of each device within that hour (last seen is accurate to an hour)',
    requests: 'shards + devices within that hour',
    expected: { 'Query gsi2': 1, Query: 3 },
    run: (services) => items(services, '/v1/devices', { silentFor: sinceMidnight() }),
    gives: 8,
  },
  {
    ask: 'devices by a frequent kind, by name, a page of 10; the same for labels and status',
    how: 'gsi1, until the page is full: 21 read units per 1,000 scanned devices',
    requests: 'shards, and again for each larger step (factor 4, up to 1,000)',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, '/v1/devices', { kind: 'climate' }),
    gives: 10,
  },
  {
    ask: 'the 3 devices of a room, by name',
    how: 'Query of the placements of its place, consistent, and BatchGetItem of the devices on the page',
    requests: '1 per 1,000 placements, and 1 per 100 devices',
    expected: { Query: 1, BatchGetItem: 1 },
    run: (services) => items(services, '/v1/devices', { place: 'old-town', room: 'living' }),
    gives: 3,
  },
  {
    ask: 'the 6 devices of a place, by last seen',
    how: 'Query of its placements, consistent, and BatchGetItem of all devices',
    requests: '1 per 1,000 placements, and 1 per 100 devices',
    expected: { Query: 1, BatchGetItem: 1 },
    run: (services) => items(services, '/v1/devices', { place: 'old-town', order: 'lastSeen' }),
    gives: 6,
  },
  {
    ask: 'places by name, a page of 10',
    how: 'gsi1',
    requests: 'shards',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, '/v1/places'),
    gives: 10,
  },
  {
    ask: 'rooms of all places by name prefix, a page of 10',
    how: 'gsi1',
    requests: 'shards',
    expected: { 'Query gsi1': 1 },
    run: (services) => items(services, '/v1/rooms', { namePrefix: 'room' }),
    gives: 10,
  },
];

import { blockItem } from '@engawa/model';
import { deviceId, midnight, minute, sensorsOf } from './seed-table.ts';
import type { MeteredServices } from './metered-services.ts';
import type { Pattern } from './pattern.ts';

async function put(services: MeteredServices, path: string, body: object): Promise<number> {
  return (await services.ask('registry', path, { method: 'PUT', body })).status;
}

async function rename(services: MeteredServices, path: string): Promise<unknown> {
  const { body } = await services.ask('registry', path, {
    method: 'PATCH',
    body: { name: 'Renamed' },
  });
  return body['name'];
}

async function label(services: MeteredServices, path: string): Promise<unknown> {
  const body = { labels: { floor: '2' } };
  return (await services.ask('registry', path, { method: 'PATCH', body })).body['labels'];
}

async function remove(services: MeteredServices, path: string): Promise<number> {
  return (await services.ask('registry', path, { method: 'DELETE' })).status;
}

const [first = '', second = '', third = '', fourth = '', fifth = ''] = sensorsOf('old-town');
/** Constant, so that stored items have the same size. */
const since = new Date(midnight + minute).toISOString();

/** Afterwards the registry knows the device's placement. */
function look(id: string) {
  return (services: MeteredServices) => services.ask('registry', `/v1/devices/${id}`);
}

function place(id: string, at: string, room: string) {
  return (services: MeteredServices) =>
    put(services, `/v1/places/${at}/devices/${id}`, { room, since });
}

/** More than a batch of single readings. */
const blocksOfDoomed = 30;

async function seedDeviceToDelete(services: MeteredServices): Promise<void> {
  await put(services, '/v1/devices/doomed', {});
  const times = Array.from({ length: blocksOfDoomed }, (_, index) => midnight - index * minute);
  for (const time of times) {
    const readings = [{ time, fields: { temperature: 20 } }];
    await services.table.put({ ...blockItem({ device: 'doomed', readings }) });
  }
}

const aftermath = 'then the purge: Queries, and 25 items per BatchWriteItem';

/** Changes by users; each finds the state that the previous ones left. */
export const changePatterns: Pattern[] = [
  {
    ask: 'register a device',
    how: 'UpdateItem, with a condition',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => put(services, '/v1/devices/new', { name: 'New' }),
    gives: 201,
  },
  {
    ask: 'register a place',
    how: 'PutItem, with a condition',
    requests: '1',
    expected: { PutItem: 1 },
    run: (services) => put(services, '/v1/places/new', { name: 'New' }),
    gives: 201,
  },
  {
    ask: 'register a room',
    how: 'transaction with a check of the place',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    run: (services) => put(services, '/v1/rooms/new/new', { name: 'New' }),
    gives: 201,
  },
  {
    ask: 'rename a device without a placement',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => rename(services, `/v1/devices/${deviceId(0)}`),
    gives: 'Renamed',
  },
  {
    ask: 'change labels of a device without a placement',
    how: 'GetItem, consistent, and UpdateItem',
    requests: '2',
    expected: { GetItem: 1, UpdateItem: 1 },
    run: (services) => label(services, `/v1/devices/${deviceId(0)}`),
    gives: { floor: '2' },
  },
  {
    ask: 'change labels of a device with a placement',
    how: 'GetItem, consistent, and a transaction',
    requests: '2',
    expected: { GetItem: 1, TransactWriteItems: 1 },
    run: (services) => label(services, `/v1/devices/${first}`),
    gives: { floor: '2' },
  },
  {
    ask: 'change labels of a place',
    how: 'GetItem, consistent, and UpdateItem',
    requests: '2',
    expected: { GetItem: 1, UpdateItem: 1 },
    run: (services) => label(services, '/v1/places/new'),
    gives: { floor: '2' },
  },
  {
    ask: 'rename a device with a placement',
    how: 'transaction with its placement',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    prepare: look(first),
    run: (services) => rename(services, `/v1/devices/${first}`),
    gives: 'Renamed',
  },
  {
    ask: 'the same by a replica without the location in its cache',
    how: 'UpdateItem, whose condition fails, and the transaction',
    requests: '1, and 1 for the failed condition',
    expected: { UpdateItem: 1, TransactWriteItems: 1 },
    run: (services) => rename(services, `/v1/devices/${second}`),
    gives: 'Renamed',
  },
  {
    ask: 'rename a place',
    how: 'UpdateItem',
    requests: '1',
    expected: { UpdateItem: 1 },
    run: (services) => rename(services, '/v1/places/old-town'),
    gives: 'Renamed',
  },
  {
    ask: 'rename a room',
    how: 'GetItem of the place, and UpdateItem',
    requests: '2',
    expected: { GetItem: 1, UpdateItem: 1 },
    run: (services) => rename(services, '/v1/rooms/old-town/living'),
    gives: 'Renamed',
  },
  {
    ask: 'place a device in a room',
    how: 'transaction: device, placement, memberships, checks',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    prepare: look(deviceId(1)),
    run: place(deviceId(1), 'old-town', 'living'),
    gives: 200,
  },
  {
    ask: 'place a device at its current location',
    how: 'GetItem, and a transaction of checks',
    requests: '2',
    expected: { GetItem: 1, TransactWriteItems: 1 },
    run: place(deviceId(1), 'old-town', 'living'),
    gives: 200,
  },
  {
    ask: 'move a device to another room of its place',
    how: 'transaction: device, placement, memberships, checks',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    prepare: look(first),
    run: place(first, 'old-town', 'kitchen'),
    gives: 200,
  },
  {
    ask: 'move a device to another place',
    how: 'transaction: device, placements, memberships, checks',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    prepare: look(third),
    run: place(third, 'hillside', 'kitchen'),
    gives: 200,
  },
  {
    ask: 'the same by a replica without the device in its cache',
    how: 'GetItem, and the transaction',
    requests: '1, and 1 for the device',
    expected: { GetItem: 1, TransactWriteItems: 1 },
    run: place(fourth, 'hillside', 'kitchen'),
    gives: 200,
  },
  {
    ask: 'remove a device from its place',
    how: 'transaction: device, placement, memberships',
    requests: '1',
    expected: { TransactWriteItems: 1 },
    prepare: look(fifth),
    run: (services) => remove(services, `/v1/places/old-town/devices/${fifth}`),
    gives: 204,
  },
  {
    ask: `delete a device with ${blocksOfDoomed} blocks`,
    how: `GetItem and transaction; ${aftermath}`,
    requests: '2 before the response',
    expected: {
      GetItem: 1,
      UpdateItem: 2,
      TransactWriteItems: 1,
      Query: 3,
      'Query gsi1': 1,
      BatchWriteItem: Math.ceil(blocksOfDoomed / 25),
    },
    prepare: seedDeviceToDelete,
    run: (services) => remove(services, '/v1/devices/doomed'),
    gives: 204,
  },
  {
    ask: 'delete an empty room',
    how: `transaction; ${aftermath}`,
    requests: '1 before the response',
    expected: { UpdateItem: 1, TransactWriteItems: 2, Query: 2 },
    run: (services) => remove(services, '/v1/rooms/new/new'),
    gives: 204,
  },
  {
    ask: 'delete an empty place',
    how: `transaction; ${aftermath}`,
    requests: '1 before the response',
    expected: { UpdateItem: 1, TransactWriteItems: 2, Query: 3 },
    run: (services) => remove(services, '/v1/places/new'),
    gives: 204,
  },
];

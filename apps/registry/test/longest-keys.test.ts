import { openBeforeAll } from '@engawa/testing';
import { build, itemsOf, minute, move, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';

/** Ids and names of maximum size in keys: DynamoDB takes 1,024 bytes (sort key) and 2,048 (partition key). */
const registry = openBeforeAll(startRegistry);

/** 128 characters of 3 bytes each. */
const longId = (first: string) => first + '温'.repeat(127);
/** A character that is 18 where case and width do not count. */
const longName = 'ﷺ'.repeat(256);
const [place, other] = [longId('家'), longId('宅')];
const rooms = [longId('居'), `${longId('居').slice(0, -1)}度`];
const devices = [longId('一'), longId('二'), longId('三')];

beforeAll(async () => {
  await build(registry, place, rooms, longName);
  await build(registry, other, [], longName);
  for (const id of devices) {
    const device = { path: pathOf('devices', id), method: 'PUT', body: { name: longName } };
    expect((await registry.ask(device.path, device)).status).toBe(201);
  }
});

const idsOf = async (path: string, parameters: Record<string, string> = {}) =>
  itemsOf(await walk(registry, path, { limit: '1', ...parameters })).map(({ id }) => id);

it.each([
  ['/v1/devices', devices, 'ﷺ'],
  ['/v1/places', [place, other], 'ﷺ'],
  ['/v1/rooms', rooms, '居'],
])('are listed by %s, in pages of one, also by a prefix', async (path, ids, namePrefix) => {
  expect((await idsOf(path)).toSorted()).toEqual(ids.toSorted());
  expect((await idsOf(path, { namePrefix })).toSorted()).toEqual(ids.toSorted());
});

it.each(['/v1/devices', '/v1/places', '/v1/rooms'])(
  'are no reason for %s to ask DynamoDB for a prefix that it refuses',
  async (path) => {
    const query = new URLSearchParams({ namePrefix: longName });
    const answer = await registry.ask(`${path}?${query.toString()}`);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path: 'query.namePrefix' }] } });
  },
);

it('are placed and moved, and the history is given in pages of one', async () => {
  const [device = ''] = devices;
  const periods = [
    { place, room: rooms[0] },
    { place: other, room: undefined },
    { place, room: rooms[1] },
  ];
  for (const [index, { place, room }] of periods.entries()) {
    const since = minute(index);
    const answer = await move(registry, device, place, { since, ...(room && { room }) });
    expect(answer.status).toBe(200);
  }
  const path = `${pathOf('devices', device)}/placements`;
  const found = itemsOf(await walk(registry, path, { limit: '1' }));
  expect(found.map(({ place, room }) => ({ place, room }))).toEqual(periods.toReversed());
});

it.each([
  ['devices', [`${longId('一')}温`]],
  ['places', [`${longId('家')}温`]],
  ['rooms', [place, `${longId('居')}温`]],
])('with a character more are refused: %s', async (kind, ids) => {
  const answer = await registry.ask(pathOf(kind, ...ids), { method: 'PUT', body: { name: 'x' } });
  expect(answer).toMatchObject({ status: 400, body: { type: '/problems/invalid-request' } });
});

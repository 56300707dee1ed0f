import { aDevice, openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';
import { build, itemsOf, move, walk } from './places.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);

beforeAll(async () => {
  await build(registry, 'home', ['hall', 'bath']);
  await build(registry, 'flat');
  await registry.put(
    aDevice({ id: 'a', name: 'Lamp A', kind: 'meter', labels: { floor: '1', env: 'prod' } }),
    aDevice({ id: 'b', name: 'Lamp B', labels: { floor: '2', env: 'prod' } }),
    aDevice({ id: 'c', name: 'Tap', status: 'pending', labels: { floor: '2', env: 'test' } }),
    aDevice({ id: 'd', name: 'Lost', status: 'pending', metadata: '{"bought":2024}' }),
  );
  for (const [device, place, room] of [
    ['a', 'home', 'hall'],
    ['b', 'home', 'bath'],
    ['c', 'flat', undefined],
  ] as const) {
    const moved = await move(registry, device, place, { ...(room !== undefined && { room }) });
    expect(moved).toMatchObject({ status: 200 });
  }
});

function ask(path: string, search: string): Promise<TestResponse> {
  return registry.ask(`${path}?${search}`);
}

async function ids(search: string, path = '/v1/devices'): Promise<unknown[]> {
  const { status, body } = await ask(path, search);
  expect([search, status, body]).toEqual([search, 200, body]);
  return (body as { items: { id: string }[] }).items.map(({ id }) => id);
}

it.each([
  ['status=pending', ['d', 'c']],
  ['status=active', ['a', 'b']],
  ['kind=meter', ['a']],
  ['place=home', ['a', 'b']],
  ['place=home&room=bath', ['b']],
  ['place=nowhere', []],
  ['label=floor=2', ['b', 'c']],
  ['label=floor%3D2', ['b', 'c']],
  ['label=floor', ['a', 'b', 'c']],
  ['label=floor=2&label=env=prod', ['b']],
  ['label=floor=2&label=floor=1', []],
  ['label=constructor', []],
  ['label=floor=2&status=pending&place=flat', ['c']],
  ['place=home&namePrefix=lamp&label=floor=1', ['a']],
  ['place=home&order=-lastSeen', ['b', 'a']],
  ['label=env&order=lastSeen', ['a', 'b', 'c']],
  ['label=env=prod&silentFor=PT1H', ['a', 'b']],
  ['place=flat&silentFor=PT1H', ['c']],
])('GET /v1/devices?%s gives %j', async (search, wanted) => {
  expect(await ids(search)).toEqual(wanted);
});

it('with a place, devices are whole also in a list by name', async () => {
  await registry.ask('/v1/devices/b', { method: 'PATCH', body: { metadata: { bought: 2025 } } });
  const { body } = await ask('/v1/devices', 'place=home&room=bath');
  expect(body).toMatchObject({
    items: [{ id: 'b', place: 'home', room: 'bath', metadata: { bought: 2025 } }],
  });
  const csv = await registry.ask('/v1/devices?place=home&room=bath', {
    headers: { accept: 'text/csv' },
  });
  expect(String(csv.body).split('\r\n').slice(0, 2)).toEqual([
    'id,name,kind,status,registeredAt,lastSeenAt,place,room,labels,metadata',
    expect.stringMatching(
      /^b,Lamp B,climate,active,.*,home,bath,"\{""env"":""prod"",""floor"":""2""\}","\{""bought"":2025\}"$/,
    ),
  ]);
});

it('a filter follows what is changed, moved and deleted', async () => {
  await registry.put(aDevice({ id: 'e', name: 'Zz', labels: { own: 'x' } }));
  expect(await ids('label=own=x')).toEqual(['e']);
  await registry.ask('/v1/devices/e', { method: 'PATCH', body: { labels: { own: 'y' } } });
  expect([await ids('label=own=x'), await ids('label=own=y')]).toEqual([[], ['e']]);
  await move(registry, 'e', 'flat');
  expect(await ids('label=own&place=flat')).toEqual(['e']);
  await move(registry, 'e', 'home', { room: 'hall' });
  expect(await ids('label=own&place=flat')).toEqual([]);
  expect(await ids('label=own&place=home&room=hall')).toEqual(['e']);
  await registry.ask('/v1/devices/e', { method: 'DELETE' });
  expect([await ids('label=own'), await ids('label=own&place=home')]).toEqual([[], []]);
});

it('a page of a filter has a cursor, good for that filter however its labels are ordered', async () => {
  const pages = await walk(registry, '/v1/devices', { status: 'pending', limit: '1' });
  expect(itemsOf(pages).map(({ id }) => id)).toEqual(['d', 'c']);
  const { body } = await ask('/v1/devices', 'label=floor&label=env&limit=1');
  const { cursor = '' } = body as { cursor?: string };
  expect(await ids(`label=env&label=floor&label=env&cursor=${cursor}`)).toEqual(['b', 'c']);
  for (const other of ['label=floor', 'label=floor&label=env&status=active', '']) {
    const { status } = await ask('/v1/devices', `${other}&cursor=${cursor}`);
    expect([other, status]).toEqual([other, 400]);
  }
});

it.each([
  ['label=', 'query.label'],
  ['label=%3D2', 'query.label'],
  ['label=floor:2', 'query.label'],
  ['label=floor==2', 'query.label'],
  ['label=floor=a,b', 'query.label'],
  ['label=__proto__', 'query.label'],
  [Array.from({ length: 9 }, (_, index) => `label=l${index}`).join('&'), 'query.label'],
  ['room=hall', 'query.room'],
  ['status=gone', 'query.status'],
  ['kind=lamp', 'query.kind'],
  ['place=..', 'query.place'],
  ['status=active&status=active', 'query.status'],
])('GET /v1/devices?%s is refused', async (search, path) => {
  const { status, body } = await ask('/v1/devices', search);
  expect(status).toBe(400);
  const named = { path: expect.stringContaining(path) as string };
  expect(body).toMatchObject({ errors: [named] });
});

it('places and rooms are filtered by labels, page by page', async () => {
  for (const index of [0, 1, 2, 3, 4, 5]) {
    const body = { name: `Own ${index}`, labels: { parity: String(index % 2) } };
    const put = { method: 'PUT', body };
    expect(await registry.ask(`/v1/places/own-${index}`, put)).toMatchObject({ status: 201 });
    expect(await registry.ask(`/v1/rooms/own-0/room-${index}`, put)).toMatchObject({ status: 201 });
  }
  for (const [path, prefix] of [
    ['/v1/places', 'own'],
    ['/v1/rooms', 'room'],
  ] as const) {
    const odd = [1, 3, 5].map((index) => `${prefix}-${index}`);
    expect(await ids('label=parity=1', path)).toEqual(odd);
    expect(await ids('label=parity&namePrefix=own%203', path)).toEqual([`${prefix}-3`]);
    const pages = await walk(registry, path, { label: 'parity=1', limit: '2' });
    expect(itemsOf(pages).map(({ id }) => id)).toEqual(odd);
    expect(pages[0]?.items).toHaveLength(2);
  }
});

it('costs one Query and its devices for a place, and one Query for the list of all devices', async () => {
  const cost = (search: string) => registry.costOf(() => ids(search));
  expect(await cost('place=home')).toEqual({ Query: 1, BatchGetItem: 1 });
  expect(await cost('place=home&order=lastSeen')).toEqual({ Query: 1, BatchGetItem: 1 });
  expect(await cost('place=nowhere')).toEqual({ Query: 1 });
  expect(await cost('status=pending')).toEqual({ Query: 1 });
  expect(await cost('label=floor&order=lastSeen')).toEqual({ Query: 1 });
});

import { deviceKey, placementKey } from '@engawa/keys';
import { seenAttributes } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { anotherReplica, build, itemsOf, minute, move, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);
beforeAll(() => build(registry, 'home', ['hall']));

function change(id: string, body: object, ifMatch?: string): Promise<TestResponse> {
  const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
  return registry.ask(pathOf('devices', id), { method: 'PATCH', headers, body });
}

const rename = (id: string, name: string, ifMatch?: string) => change(id, { name }, ifMatch);

/** A device that another replica has placed, so that this one knows nothing of it. */
async function placed(id: string): Promise<void> {
  await registry.put(aDevice({ id }));
  const to = { place: 'home', room: 'hall' };
  await anotherReplica(registry).move({ device: id, to, since: Date.parse(minute(1)) });
}

const shownAtHome = async (id: string) =>
  itemsOf(await walk(registry, '/v1/places/home/devices')).find(({ device }) => device === id);

const whole = async (id: string) => (await registry.ask(pathOf('devices', id))).body;

describe('PATCH /v1/devices/{id} of a device that is placed somewhere', () => {
  it('changes its name at its place and in the list, by one request if the device is cached', async () => {
    await placed('read');
    const before = (await whole('read')) as object;
    const cost = await registry.costOf(async () => {
      const answer = await rename('read', 'Front door');
      expect(answer.headers.get('etag')).toMatch(/^"3-[0-9A-Z]{9}"$/);
      expect(answer.body).toEqual({ ...before, name: 'Front door', version: 3 });
    });
    expect(cost).toEqual({ TransactWriteItems: 1 });
    expect(await shownAtHome('read')).toMatchObject({ name: 'Front door', room: 'hall' });
    expect(await whole('read')).toEqual({ ...before, name: 'Front door', version: 3 });
    const list = await walk(registry, '/v1/devices', { namePrefix: 'front' });
    expect(itemsOf(list)).toMatchObject([{ id: 'read', name: 'Front door' }]);
    const again = await registry.costOf(() => rename('read', 'Back door', '"3"'));
    expect(again).toEqual({ TransactWriteItems: 1 });
  });

  it('costs two requests with an empty or stale cache', async () => {
    await placed('unread');
    const first = await registry.costOf(() => rename('unread', 'one'));
    expect(first).toEqual({ UpdateItem: 1, TransactWriteItems: 1 });
    expect(await shownAtHome('unread')).toMatchObject({ name: 'one' });
    await anotherReplica(registry).change({ id: 'unread', changes: { name: 'theirs' } });
    const second = await registry.costOf(async () => {
      expect((await rename('unread', 'two')).body).toMatchObject({ name: 'two', version: 5 });
    });
    expect(second).toEqual({ TransactWriteItems: 2 });
    expect(await shownAtHome('unread')).toMatchObject({ name: 'two' });
  });

  it('costs one request where it is cached as unplaced, and two where that is stale', async () => {
    await registry.put(aDevice({ id: 'nowhere' }));
    await registry.ask('/v1/devices/nowhere');
    expect(await registry.costOf(() => rename('nowhere', 'x'))).toEqual({ UpdateItem: 1 });
    await anotherReplica(registry).move({ device: 'nowhere', to: { place: 'home' } });
    const cost = await registry.costOf(() => rename('nowhere', 'y'));
    expect(cost).toEqual({ UpdateItem: 1, TransactWriteItems: 1 });
    expect(await shownAtHome('nowhere')).toMatchObject({ name: 'y' });
  });

  it('returns the current last-seen time, not the cached one', async () => {
    await placed('heard');
    await registry.ask('/v1/devices/heard');
    const time = Date.UTC(2026, 10, 21);
    await registry.table.update(deviceKey('heard'), {
      set: seenAttributes('heard', time, { list: 1, seen: 1 }),
    });
    const { body } = await rename('heard', 'Heard');
    expect(body).toMatchObject({ name: 'Heard', lastSeenAt: new Date(time).toISOString() });
    expect(await whole('heard')).toEqual(body);
  });

  it('lets one of two writers of the same version succeed', async () => {
    await placed('contested');
    const answers = await Promise.all([
      rename('contested', 'mine', '"2"'),
      rename('contested', 'yours', '"2"'),
    ]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 412]);
    const winner = answers.find(({ status }) => status === 200);
    const { name } = winner?.body as { name: string };
    expect(await shownAtHome('contested')).toMatchObject({ name });
    expect(await whole('contested')).toEqual(winner?.body);
  });

  it('counts every concurrent change without If-Match', async () => {
    await placed('busy');
    const names = Array.from({ length: 12 }, (_, index) => `busy ${index}`);
    const answers = await Promise.all(names.map((name) => rename('busy', name)));
    expect(answers.every(({ status }) => status === 200)).toBe(true);
    const { name, version } = (await whole('busy')) as { name: string; version: number };
    expect(version).toBe(2 + names.length);
    expect(await shownAtHome('busy')).toMatchObject({ name });
  });

  it('works after its placement was deleted', async () => {
    await placed('leftover');
    await registry.table.delete(placementKey('home', 'leftover'));
    expect(await rename('leftover', 'x')).toMatchObject({ status: 200, body: { name: 'x' } });
    expect(await shownAtHome('leftover')).toBeUndefined();
  });

  it('does not create a device that was deleted meanwhile', async () => {
    await placed('deleted');
    await registry.ask('/v1/devices/deleted');
    await registry.table.delete(deviceKey('deleted'));
    expect(await rename('deleted', 'x')).toMatchObject({ status: 404 });
    expect(await registry.ask('/v1/devices/deleted')).toMatchObject({ status: 404 });
  });
});

describe('PATCH /v1/devices/{id} of kind and status', () => {
  it('changes the kind in the membership of its place', async () => {
    await placed('kind');
    expect((await change('kind', { kind: 'meter' })).body).toMatchObject({
      kind: 'meter',
      name: 'kind',
    });
    expect(await shownAtHome('kind')).toMatchObject({ kind: 'meter' });
    expect(await whole('kind')).toMatchObject({ kind: 'meter', version: 3 });
  });

  it('approves a device that is pending', async () => {
    await registry.put(aDevice({ id: 'pending', status: 'pending' }));
    expect((await change('pending', { status: 'active' })).body).toMatchObject({
      status: 'active',
      version: 2,
    });
    await move(registry, 'pending', 'home');
    expect((await change('pending', { status: 'pending' })).body).toMatchObject({
      status: 'pending',
    });
    expect(await whole('pending')).toMatchObject({ status: 'pending', version: 4 });
  });

  it.each([[{}], [{ kind: 'toaster' }], [{ status: 'gone' }]])('refuses %j', async (body) => {
    expect(await change('kind', body)).toMatchObject({ status: 400 });
  });
});

import { membershipKey, placementKey } from '@engawa/keys';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { anotherReplica, build, itemsOf, minute, move, pathOf, takeAway, walk } from './places.ts';
import { startRegistry } from './registry.ts';

const registry = openBeforeAll(startRegistry);
beforeAll(async () => {
  await build(registry, 'home', ['hall', 'attic']);
  await build(registry, 'office', ['desk']);
});

const history = async (id: string) =>
  itemsOf(await walk(registry, pathOf('devices', id, 'placements')));

const devicesAt = async (place: string) =>
  itemsOf(await walk(registry, `/v1/places/${place}/devices`)).map(({ device }) => device);

const there = { place: 'home', room: 'hall' };

describe('a cached device', () => {
  it('costs one request where this replica has seen the device, else two', async () => {
    await registry.put(aDevice({ id: 'seen' }), aDevice({ id: 'unseen' }));
    await registry.ask('/v1/devices/seen');
    const cost = (id: string, place: string, room?: string) =>
      registry.costOf(() => move(registry, id, place, room === undefined ? {} : { room }));
    expect(await cost('seen', 'home', 'hall')).toEqual({ TransactWriteItems: 1 });
    expect(await cost('seen', 'home', 'attic')).toEqual({ TransactWriteItems: 1 });
    expect(await cost('seen', 'office')).toEqual({ TransactWriteItems: 1 });
    const taken = await registry.costOf(() => takeAway(registry, 'seen', 'office'));
    expect(taken).toEqual({ TransactWriteItems: 1 });
    expect(await cost('unseen', 'home')).toEqual({ GetItem: 1, TransactWriteItems: 1 });
  });

  it('is moved correctly with a stale cache, for two requests', async () => {
    await registry.put(aDevice({ id: 'elsewhere' }));
    await registry.ask('/v1/devices/elsewhere');
    const replica = anotherReplica(registry);
    const since = Date.parse(minute(1));
    await replica.move({ device: 'elsewhere', to: { place: 'office', room: 'desk' }, since });
    const cost = await registry.costOf(async () => {
      const answer = await move(registry, 'elsewhere', 'home', { room: 'hall', since: minute(2) });
      expect(answer.status).toBe(200);
    });
    expect(cost).toEqual({ TransactWriteItems: 2 });
    expect(await devicesAt('office')).not.toContain('elsewhere');
    expect(await history('elsewhere')).toEqual([
      { ...there, since: minute(2) },
      { place: 'office', room: 'desk', since: minute(1), until: minute(2) },
    ]);
  });

  it('is read again before a move is skipped or rejected', async () => {
    await registry.put(aDevice({ id: 'guessed' }));
    await move(registry, 'guessed', 'home', { room: 'hall', since: minute(1) });
    const since = Date.parse(minute(2));
    const to = { place: 'office' };
    await anotherReplica(registry).move({ device: 'guessed', to, since });
    expect((await takeAway(registry, 'guessed', 'office')).status).toBe(204);
    await anotherReplica(registry).move({ device: 'guessed', to });
    await move(registry, 'guessed', 'home', { room: 'hall' });
    await anotherReplica(registry).move({ device: 'guessed', to });
    expect((await move(registry, 'guessed', 'home', { room: 'hall' })).status).toBe(200);
    expect(await devicesAt('home')).toContain('guessed');
  });

  it('does not move what was renamed since, with its old ETag, and moves it with its new name', async () => {
    await registry.put(aDevice({ id: 'renamed' }));
    const { headers } = await registry.ask('/v1/devices/renamed');
    await anotherReplica(registry).change({ id: 'renamed', changes: { name: 'New name' } });
    const ifMatch = headers.get('etag') ?? '';
    expect(await move(registry, 'renamed', 'home', { ifMatch })).toMatchObject({ status: 412 });
    expect(await devicesAt('home')).not.toContain('renamed');
    await registry.ask('/v1/devices/renamed');
    await anotherReplica(registry).change({ id: 'renamed', changes: { name: 'Newer name' } });
    expect(await move(registry, 'renamed', 'home')).toMatchObject({ status: 200 });
    const placed = itemsOf(await walk(registry, '/v1/places/home/devices'));
    expect(placed.find(({ device }) => device === 'renamed')).toMatchObject({ name: 'Newer name' });
  });

  it('moves a device out of a partially purged place and room', async () => {
    await build(registry, 'ruin', ['hall']);
    await registry.put(aDevice({ id: 'survivor' }));
    await move(registry, 'survivor', 'ruin', { room: 'hall', since: minute(1) });
    const period = { place: 'ruin', device: 'survivor', since: Date.parse(minute(1)) };
    await registry.table.delete(membershipKey(period));
    await registry.table.delete(membershipKey({ ...period, room: 'hall' }));
    await registry.table.delete(placementKey('ruin', 'survivor'));
    expect(await move(registry, 'survivor', 'home', { since: minute(2) })).toMatchObject({
      status: 200,
    });
    expect(await history('survivor')).toEqual([{ place: 'home', since: minute(2) }]);
  });
});

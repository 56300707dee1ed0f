import {
  deviceListFamily,
  deviceListPartition,
  deviceSeenFamily,
  deviceSeenPartition,
  placeListFamily,
  placeListPartition,
  roomListFamily,
  roomListPartition,
  shardMapKey,
} from '@engawa/keys';
import { openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';
import { build, itemsOf, pathOf, walk } from './places.ts';
import type { IndexName } from '@engawa/table';

const names = Array.from({ length: 24 }, (_, index) => `n${100 + index}`);

/** Each with an id that is in another order than the names. */
const things = names.map((name, index) => ({ id: `${(index * 7) % 24} of them`, name }));

describe('the registry over a table whose lists have four shards', () => {
  const registry = openBeforeAll(startRegistry);
  beforeAll(async () => {
    const epochs = [{ since: 0, count: 4, from: Date.now() - 3_600_000 }];
    const families = [deviceListFamily, deviceSeenFamily, placeListFamily, roomListFamily];
    for (const family of families) await registry.table.put({ ...shardMapKey(family), epochs });
    // From its first question on it knows of them.
    expect((await registry.ask('/v1/devices')).body).toEqual({ items: [] });
    const lines = things.map((thing) => JSON.stringify(thing)).join('\n');
    const headers = { 'content-type': 'application/x-ndjson' };
    const created = await registry.ask('/v1/devices', { method: 'POST', headers, body: lines });
    expect(created).toMatchObject({ status: 200 });
    for (const { id, name } of things) await build(registry, id, [], name);
    await build(
      registry,
      'house',
      things.slice(0, 12).map(({ id }) => id),
    );
  });

  async function sizes(index: IndexName, partition: (shard: number) => string) {
    const shards = [0, 1, 2, 3].map((shard) => ({ index, pk: partition(shard) }));
    const pages = await Promise.all(shards.map((question) => registry.table.count(question)));
    return pages.map(({ count }) => count);
  }

  it.each([
    ['devices by name', 'gsi1', deviceListPartition, 24],
    ['devices by last seen', 'gsi2', deviceSeenPartition, 24],
    ['places', 'gsi1', placeListPartition, 25],
    ['rooms', 'gsi1', roomListPartition, 12],
  ] as const)('has %s in all of them', async (_, index, partition, count) => {
    const used = await sizes(index, partition);
    expect(used.every((size) => size > 0)).toBe(true);
    expect(used.reduce((sum, size) => sum + size)).toBe(count);
  });

  it.each(['1000', '24', '5', '1'])('lists devices by name, in pages of %s', async (limit) => {
    const pages = await walk(registry, '/v1/devices', { limit });
    expect(itemsOf(pages)).toMatchObject(things);
  });

  it('lists places and rooms by name', async () => {
    const places = itemsOf(await walk(registry, '/v1/places', { limit: '7', namePrefix: 'n' }));
    expect(places).toMatchObject(things);
    const rooms = itemsOf(await walk(registry, '/v1/rooms', { limit: '5' }));
    expect(rooms.map(({ name }) => name)).toEqual(
      things
        .slice(0, 12)
        .map(({ id }) => id)
        .toSorted(),
    );
  });

  it('lists devices by last seen, and silent ones, unseen ones by id', async () => {
    const ids = things.map(({ id }) => id).toSorted();
    const seen = itemsOf(await walk(registry, '/v1/devices', { order: '-lastSeen', limit: '7' }));
    expect(seen.map(({ id }) => id)).toEqual(ids.toReversed());
    const silent = itemsOf(await walk(registry, '/v1/devices', { silentFor: 'PT1H', limit: '7' }));
    expect(silent.map(({ id }) => id)).toEqual(ids);
  });

  it('takes a Query for each shard', async () => {
    const cost = await registry.costOf(() => registry.ask('/v1/devices?limit=5'));
    expect(cost).toEqual({ Query: 4 });
    const silent = await registry.costOf(() => registry.ask('/v1/devices?silentFor=PT1H'));
    expect(silent).toEqual({ Query: 4 });
  });

  it('has them in their order when they were renamed, and no more when they were deleted', async () => {
    const [first, second, third] = things as [ListedKind, ListedKind, ListedKind];
    const rename = (thing: ListedKind, name: string) =>
      registry.ask(pathOf('devices', thing.id), { method: 'PATCH', body: { name } });
    expect(await rename(first, 'zz')).toMatchObject({ status: 200 });
    const gone = await registry.ask(pathOf('devices', second.id), { method: 'DELETE' });
    expect(gone).toMatchObject({ status: 204 });
    const list = async () => itemsOf(await walk(registry, '/v1/devices', { limit: '9' }));
    const renamed = { ...first, name: 'zz' };
    expect(await list()).toMatchObject([third, ...things.slice(3), renamed]);
    await rename(first, first.name);
    expect(await list()).toMatchObject([first, third, ...things.slice(3)]);
  });
});

type ListedKind = (typeof things)[number];

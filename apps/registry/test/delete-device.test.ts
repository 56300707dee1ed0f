import { bucketStart, sketchesItems, Summary } from '@engawa/model';
import { aDevice, openBeforeAll, until } from '@engawa/testing';
import { everythingOf, seed } from './everything-of.ts';
import { build, move, pathOf } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const minute = 60_000;
const hour = 60 * minute;

/** Its sketches are several items. */
const wide = new Summary(new Map(), true);
const names = Array.from({ length: 15_000 }, (_, index) => [`field ${index}`, index] as const);
wide.add({ time: 0, fields: Object.fromEntries(names) });

describe('DELETE /v1/devices/{id}', () => {
  const registry = openBeforeAll(startRegistry);
  const now = Date.now();

  function remove(id: string, ifMatch?: string): Promise<TestResponse> {
    const headers: Record<string, string> = ifMatch === undefined ? {} : { 'if-match': ifMatch };
    return registry.ask(pathOf('devices', id), { method: 'DELETE', headers });
  }

  async function put(id: string, shards = 1): Promise<void> {
    const device = aDevice({ id, lastSeenAt: now - minute });
    await registry.put(
      shards === 1 ? device : { ...device, shards: [{ since: 0, count: shards, from: 0 }] },
    );
    const { table } = registry;
    await seed(table, { device: id, newest: now - minute, readings: 40, shards });
    for (const width of ['PT1H', 'P1D'] as const) {
      const bucket = { width, start: bucketStart(now - 2 * hour, width) };
      const items = sketchesItems(id, bucket, { summary: wide });
      expect(items.length).toBeGreaterThan(1);
      for (const item of items) await table.put(item);
    }
  }

  function gone(id: string, shards = 1): Promise<boolean> {
    return until(`nothing of ${id}`, async () => {
      return (await everythingOf(registry.table, id, shards)).length === 0;
    });
  }

  it('is deleted immediately; its readings, rollups and history are purged, other devices keep theirs', async () => {
    const neighbours = ['dev10', 'dev1#0', 'dev1#1', 'dev1 ', 'DEV1', 'dev'];
    for (const id of ['dev1', ...neighbours]) await put(id);
    const kept = await Promise.all(neighbours.map((id) => everythingOf(registry.table, id)));
    expect(kept.map(({ length }) => length)).toEqual(neighbours.map(() => 95));
    const cost = await registry.costOf(async () => {
      expect(await remove('dev1')).toMatchObject({ status: 204 });
      expect(await registry.ask('/v1/devices/dev1')).toMatchObject({ status: 404 });
    });
    expect(cost).toMatchObject({ TransactWriteItems: 1 });
    await gone('dev1');
    expect(await Promise.all(neighbours.map((id) => everythingOf(registry.table, id)))).toEqual(
      kept,
    );
  });

  it('removes the device from the lists, its place and its room in the same transaction', async () => {
    await build(registry, 'house', ['hall']);
    await registry.put(aDevice({ id: 'lamp', name: 'lamp in the hall' }));
    await move(registry, 'lamp', 'house', { room: 'hall' });
    expect((await registry.ask('/v1/rooms/house/hall')).body).toMatchObject({
      devices: [{ device: 'lamp' }],
    });
    await remove('lamp');
    expect((await registry.ask('/v1/rooms/house/hall')).body).toMatchObject({ devices: [] });
    expect((await registry.ask('/v1/places/house')).body).toMatchObject({ devices: [] });
    for (const list of ['namePrefix=lamp', 'order=lastSeen', 'silentFor=PT1H']) {
      const { body } = await registry.ask(`/v1/devices?${list}`);
      expect((body as { items: { id: string }[] }).items.map(({ id }) => id)).not.toContain('lamp');
    }
    await gone('lamp');
  });

  it('purges a move with a future beginning', async () => {
    await build(registry, 'soon');
    await registry.put(aDevice({ id: 'moved ahead' }));
    await move(registry, 'moved ahead', 'soon', { since: now + minute / 2 });
    await move(registry, 'moved ahead', 'house', { since: now + (minute * 3) / 4 });
    await remove('moved ahead');
    await gone('moved ahead');
  });

  it('purges all shards of its readings', async () => {
    await put('spread', 4);
    expect(await everythingOf(registry.table, 'spread', 4)).toHaveLength(95);
    await remove('spread');
    await gone('spread', 4);
  });

  it('cannot be done twice', async () => {
    await registry.put(aDevice({ id: 'twice' }));
    const answers = [await remove('twice'), await remove('twice')];
    expect(answers.map(({ status }) => status)).toEqual([204, 404]);
    expect(answers[1]?.body).toMatchObject({ detail: 'There is no device "twice".' });
  });

  it('succeeds once under concurrency', async () => {
    await registry.put(aDevice({ id: 'raced' }));
    const answers = await Promise.all(Array.from({ length: 5 }, () => remove('raced')));
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 404, 404, 404, 404]);
  });

  it('requires the expected version', async () => {
    await registry.put(aDevice({ id: 'changed', version: 3 }));
    const refused = await remove('changed', '"2"');
    expect(refused.status).toBe(412);
    expect(refused.body).toMatchObject({ detail: 'The device "changed" has version 3 now.' });
    expect(await remove('changed', '"3"')).toMatchObject({ status: 204 });
    expect(await remove('changed', '"3"')).toMatchObject({ status: 404 });
  });
});

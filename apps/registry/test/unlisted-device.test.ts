import { deviceKey } from '@engawa/keys';
import { deviceItem, parseDevice } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, move, pathOf } from './places.ts';
import { startRegistry } from './registry.ts';

const registry = openBeforeAll(startRegistry);

/** As ingestion puts it while an index is throttled: without index keys. */
async function putUnlisted(id: string): Promise<void> {
  const item = deviceItem(aDevice({ id, kind: 'other' }));
  await registry.table.put({ ...item, ...deviceKey(id) });
}

async function itemOf(id: string) {
  return (await registry.table.get(deviceKey(id), { consistent: true })) ?? {};
}

describe('a device without list keys', () => {
  it('is found by its id, and lists do without it', async () => {
    await putUnlisted('new');
    expect(await registry.ask('/v1/devices/new')).toMatchObject({ status: 200 });
    for (const query of ['', '?silentFor=PT1M', '?sort=lastSeenAt']) {
      const { body } = await registry.ask(`/v1/devices${query}`);
      expect(JSON.stringify(body)).not.toContain('"new"');
    }
  });

  it('can be renamed, and is in the list by name then', async () => {
    await putUnlisted('gate');
    const changed = { method: 'PATCH', body: { name: 'Garden gate' } };
    expect(await registry.ask('/v1/devices/gate', changed)).toMatchObject({ status: 200 });
    const { body } = await registry.ask('/v1/devices?namePrefix=garden');
    expect(body).toMatchObject({ items: [{ id: 'gate', name: 'Garden gate' }] });
  });

  it('can be moved, and deleted', async () => {
    await build(registry, 'house');
    await putUnlisted('lamp');
    await move(registry, 'lamp', 'house');
    const { body } = await registry.ask('/v1/places/house');
    expect(body).toMatchObject({ devices: [{ device: 'lamp' }] });
    const deleted = await registry.ask(pathOf('devices', 'lamp'), { method: 'DELETE' });
    expect(deleted.status).toBeLessThan(300);
    expect(await registry.ask('/v1/devices/lamp')).toMatchObject({ status: 404 });
  });
});

describe('the kind of a device', () => {
  it('is marked as set by a client, so that no reading changes it', async () => {
    const put = (id: string, body: object) =>
      registry.ask(pathOf('devices', id), { method: 'PUT', body });
    await put('plain', { name: 'Plain' });
    expect(parseDevice(await itemOf('plain')).kindNamed).toBeUndefined();
    await put('plain', { kind: 'other' });
    expect(parseDevice(await itemOf('plain')).kindNamed).toBe(true);
    await put('meter', { kind: 'meter' });
    expect(parseDevice(await itemOf('meter')).kindNamed).toBe(true);
  });
});

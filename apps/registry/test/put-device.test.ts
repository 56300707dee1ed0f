import { deviceKey } from '@engawa/keys';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, move, pathOf } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);

function put(
  id: string,
  body?: unknown,
  headers: Record<string, string> = {},
): Promise<TestResponse> {
  return registry.ask(pathOf('devices', id), { method: 'PUT', body, headers });
}

describe('PUT /v1/devices/{id}', () => {
  it('creates a device, for one UpdateItem', async () => {
    const cost = await registry.costOf(async () => {
      const answer = await put('meter 1', { name: 'Meter', kind: 'meter', status: 'pending' });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('etag')).toMatch(/^"1-[0-9A-Z]{9}"$/);
      expect(answer.body).toEqual({
        id: 'meter 1',
        name: 'Meter',
        kind: 'meter',
        status: 'pending',
        registeredAt: expect.any(String) as string,
        version: 1,
      });
    });
    expect(cost).toEqual({ UpdateItem: 1 });
    const { body } = await registry.ask('/v1/devices/meter%201');
    expect(body).not.toHaveProperty('lastSeenAt');
    const list = await registry.ask('/v1/devices?namePrefix=meter');
    expect(list.body).toMatchObject({ items: [{ id: 'meter 1' }] });
  });

  it.each([undefined, {}])('uses the id as name if the body is %j', async (body) => {
    const id = `plain ${JSON.stringify(body)}`;
    const answer = await put(id, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ id, name: id, kind: 'other', status: 'active' });
  });

  it('replaces the properties of an existing device', async () => {
    await registry.put(aDevice({ id: 'old', name: 'Old', kind: 'contact', status: 'pending' }));
    const before = await registry.ask('/v1/devices/old');
    const kept = { ...(before.body as object), name: 'old', status: 'active' };
    expect(await put('old', {})).toMatchObject({ status: 200, body: { ...kept, version: 2 } });
    const cost = await registry.costOf(() => put('old', { name: 'New', status: 'pending' }));
    expect(cost).toEqual({ UpdateItem: 2 });
    const { body } = await put('old', { name: 'New' }, { 'if-match': '"3"' });
    expect(body).toEqual({ ...kept, name: 'New', version: 4 });
    const list = await registry.ask('/v1/devices?namePrefix=new');
    expect(list.body).toMatchObject({ items: [{ id: 'old', status: 'active' }] });
  });

  it.each(['nowhere', 'at a place'])(
    'resets a kind that a client set, of a device %s, and leaves it to the messages',
    async (where) => {
      const id = `kind ${where}`;
      await put(id, { kind: 'meter' });
      const place = `place of ${id}`;
      if (where === 'at a place') {
        await build(registry, place);
        await move(registry, id, place);
        await registry.ask(pathOf('devices', id), { method: 'PATCH', body: { kind: 'button' } });
      }
      const { version } = (await registry.ask(pathOf('devices', id))).body as { version: number };
      const etag = { 'if-match': `"${version}"` };
      expect(await put(id, {}, etag)).toMatchObject({ status: 200, body: { kind: 'other' } });
      const stored = await registry.table.get(deviceKey(id));
      expect(stored).toMatchObject({ kind: 'other' });
      expect(stored).not.toHaveProperty('kindNamed');
      if (where === 'nowhere') return;
      const { body } = await registry.ask(pathOf('places', place));
      expect(body).toMatchObject({ devices: [{ device: id, kind: 'other' }] });
    },
  );

  it('keeps the kind detected from its messages', async () => {
    await registry.put(aDevice({ id: 'told', kind: 'climate' }));
    expect(await put('told', { name: 'Told' })).toMatchObject({ body: { kind: 'climate' } });
    expect(await put('told', { kind: 'other' })).toMatchObject({ body: { kind: 'other' } });
    expect(await registry.table.get(deviceKey('told'))).toMatchObject({ kindNamed: true });
  });

  it('has its current name and kind in the list of its place', async () => {
    await build(registry, 'house');
    await put('lamp', {});
    await move(registry, 'lamp', 'house');
    await put('lamp', { name: 'Lamp', kind: 'button' });
    const { body } = await registry.ask('/v1/places/house');
    expect(body).toMatchObject({ devices: [{ device: 'lamp', name: 'Lamp', kind: 'button' }] });
    expect((await registry.ask('/v1/devices/lamp')).body).toMatchObject({ place: 'house' });
  });

  it('creates or replaces only, by If-None-Match and If-Match', async () => {
    const none = { 'if-none-match': '*' };
    expect(await put('one', {}, none)).toMatchObject({ status: 201 });
    const refused = await put('one', { name: 'Mine' }, none);
    expect(refused).toMatchObject({
      status: 412,
      body: { detail: 'The device "one" exists already.' },
    });
    expect(await put('two', {}, { 'if-match': '*' })).toMatchObject({ status: 404 });
    expect(await put('two', {}, { 'if-match': '"1"' })).toMatchObject({ status: 404 });
    expect(await put('one', {}, { 'if-match': '"2"' })).toMatchObject({ status: 412 });
    expect(await put('one', { name: 'x' }, { 'if-match': '"2"' })).toMatchObject({ status: 412 });
    expect(await put('one', { name: 'x' }, { 'if-match': '"1"' })).toMatchObject({ status: 200 });
    expect((await registry.ask('/v1/devices/two')).status).toBe(404);
  });

  it('creates one device under concurrency', async () => {
    const names = Array.from({ length: 8 }, (_, index) => `name ${index}`);
    const answers = await Promise.all(names.map((name) => put('raced', { name })));
    expect(answers.map(({ status }) => status).sort()).toEqual([
      ...Array.from({ length: 7 }, () => 200),
      201,
    ]);
    expect((await registry.ask('/v1/devices/raced')).body).toMatchObject({ version: 8 });
  });

  it.each<[string, unknown]>([
    ['body.name', { name: ' ' }],
    ['body.name', { name: 'x'.repeat(257) }],
    ['body.kind', { kind: 'toaster' }],
    ['body.status', { status: 'gone' }],
    ['body.version', { version: 7 }],
    ['body', []],
  ])('refuses a wrong %s in %j', async (path, body) => {
    const answer = await put('never', body);
    expect(answer).toMatchObject({ status: 400, body: { errors: [{ path }] } });
    expect((await registry.ask('/v1/devices/never')).status).toBe(404);
  });
});

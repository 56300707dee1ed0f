import { aDevice } from '@engawa/testing';
import { build, move, pathOf } from './places.ts';
import { startRegistry } from './registry.ts';
import type { Answer, Registry } from './registry.ts';

let registry: Registry;
beforeAll(async () => (registry = await startRegistry()));
afterAll(() => registry.close());

function put(id: string, body?: unknown, headers: Record<string, string> = {}): Promise<Answer> {
  return registry.ask(pathOf('devices', id), { method: 'PUT', body, headers });
}

describe('PUT /v1/devices/{id}', () => {
  it('registers a device that was never heard of, for one PutItem', async () => {
    const cost = await registry.costOf(async () => {
      const answer = await put('meter 1', { name: 'Meter', kind: 'meter', status: 'pending' });
      expect(answer.status).toBe(201);
      expect(answer.headers.get('etag')).toBe('"1"');
      expect(answer.body).toEqual({
        id: 'meter 1',
        name: 'Meter',
        kind: 'meter',
        status: 'pending',
        registeredAt: expect.any(String) as string,
        version: 1,
      });
    });
    expect(cost).toEqual({ PutItem: 1 });
    const { body } = await registry.ask('/v1/devices/meter%201');
    expect(body).not.toHaveProperty('lastSeenAt');
    const list = await registry.ask('/v1/devices?namePrefix=meter');
    expect(list.body).toMatchObject({ items: [{ id: 'meter 1' }] });
  });

  it.each([undefined, {}])('names it as its id, where the body is %j', async (body) => {
    const id = `plain ${JSON.stringify(body)}`;
    const answer = await put(id, body);
    expect(answer.status).toBe(201);
    expect(answer.body).toMatchObject({ id, name: id, kind: 'other', status: 'active' });
  });

  it('changes what it is given of one that is there, and nothing else', async () => {
    await registry.put(aDevice({ id: 'old', name: 'Old', kind: 'contact', status: 'pending' }));
    const before = await registry.ask('/v1/devices/old');
    const answer = await put('old', { status: 'active' });
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ ...(before.body as object), status: 'active', version: 2 });
    const cost = await registry.costOf(() => put('old', { name: 'New' }));
    expect(cost).toEqual({ PutItem: 1, UpdateItem: 1 });
    const unchanged = await put('old', {});
    expect(unchanged).toMatchObject({ status: 200, body: { name: 'New', version: 3 } });
  });

  it('shows at its place what it is called and what it is', async () => {
    await build(registry, 'house');
    await put('lamp', {});
    await move(registry, 'lamp', 'house');
    await put('lamp', { name: 'Lamp', kind: 'button' });
    const { body } = await registry.ask('/v1/places/house');
    expect(body).toMatchObject({ devices: [{ device: 'lamp', name: 'Lamp', kind: 'button' }] });
    expect((await registry.ask('/v1/devices/lamp')).body).toMatchObject({ place: 'house' });
  });

  it('only makes it, or only changes it, where that is said', async () => {
    const none = { 'if-none-match': '*' };
    expect(await put('one', {}, none)).toMatchObject({ status: 201 });
    const refused = await put('one', { name: 'Mine' }, none);
    expect(refused).toMatchObject({
      status: 412,
      body: { detail: 'There is a device "one" already.' },
    });
    expect(await put('two', {}, { 'if-match': '*' })).toMatchObject({ status: 404 });
    expect(await put('two', {}, { 'if-match': '"1"' })).toMatchObject({ status: 404 });
    expect(await put('one', {}, { 'if-match': '"2"' })).toMatchObject({ status: 412 });
    expect(await put('one', { name: 'x' }, { 'if-match': '"2"' })).toMatchObject({ status: 412 });
    expect(await put('one', { name: 'x' }, { 'if-match': '"1"' })).toMatchObject({ status: 200 });
    expect((await registry.ask('/v1/devices/two')).status).toBe(404);
  });

  it('makes one of many that come at the same time, and the others change it', async () => {
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

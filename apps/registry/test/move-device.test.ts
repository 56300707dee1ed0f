import { membershipKey, placementKey } from '@engawa/keys';
import { eventAttributes } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import { build, itemsOf, minute, move, pathOf, takeAway, walk } from './places.ts';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

const registry = openBeforeAll(startRegistry);
beforeAll(async () => {
  await build(registry, 'home', ['hall', 'attic']);
  await build(registry, 'office', ['desk']);
});

const history = async (id: string) =>
  itemsOf(await walk(registry, pathOf('devices', id, 'placements')));

const devicesAt = async (place: string) =>
  itemsOf(await walk(registry, `/v1/places/${place}/devices`)).map(({ device }) => device);

const versionOf = async (id: string) =>
  ((await registry.ask(pathOf('devices', id))).body as { version: number }).version;

const there = { place: 'home', room: 'hall' };

describe('PUT /v1/places/{place}/devices/{device}', () => {
  it('places a device, moves it between rooms and on to another place', async () => {
    await registry.put(aDevice({ id: 'cat' }));
    expect((await move(registry, 'cat', 'home', { room: 'hall', since: minute(1) })).body).toEqual({
      ...there,
      since: minute(1),
    });
    await move(registry, 'cat', 'home', { room: 'attic', since: minute(2) });
    expect((await registry.ask('/v1/rooms/home/hall')).body).toMatchObject({ devices: [] });
    await move(registry, 'cat', 'home', { since: minute(3) });
    await move(registry, 'cat', 'office', { room: 'desk', since: minute(4) });
    expect(await devicesAt('home')).not.toContain('cat');
    expect(await devicesAt('office')).toContain('cat');
    expect(await history('cat')).toEqual([
      { place: 'office', room: 'desk', since: minute(4) },
      { place: 'home', since: minute(3), until: minute(4) },
      { place: 'home', room: 'attic', since: minute(2), until: minute(3) },
      { place: 'home', room: 'hall', since: minute(1), until: minute(2) },
    ]);
    expect(await versionOf('cat')).toBe(5);
  });

  it('keeps past memberships of the rooms, and one of the place as a whole while it stays there', async () => {
    await registry.put(aDevice({ id: 'dog' }));
    await move(registry, 'dog', 'home', { room: 'hall', since: minute(1) });
    await move(registry, 'dog', 'home', { room: 'attic', since: minute(2) });
    const period = (address: { room?: string; since: string }) => {
      const since = Date.parse(address.since);
      const key = membershipKey({ place: 'home', device: 'dog', ...address, since });
      return registry.table.get(key, { consistent: true });
    };
    const ended = { data: { until: Date.parse(minute(2)) } };
    expect(await period({ room: 'hall', since: minute(1) })).toMatchObject(ended);
    expect(await period({ room: 'attic', since: minute(2) })).not.toHaveProperty('data');
    expect(await period({ since: minute(1) })).not.toHaveProperty('data');
    expect(await period({ since: minute(2) })).toBeUndefined();
    await move(registry, 'dog', 'office', { since: minute(3) });
    expect(await period({ since: minute(1) })).toMatchObject({
      data: { until: Date.parse(minute(3)) },
    });
  });

  it('keeps the last event while the device stays at the place, and not beyond', async () => {
    await registry.put(aDevice({ id: 'door', kind: 'contact' }));
    await move(registry, 'door', 'home', { room: 'hall', since: minute(1) });
    const set = eventAttributes({
      time: Date.parse(minute(2)),
      fields: { contact: 'open' },
      receivedAt: 0,
    });
    await registry.table.update(placementKey('home', 'door'), { set });
    const at = async (place: string) =>
      itemsOf(await walk(registry, `/v1/places/${place}/devices`)).find(
        ({ device }) => device === 'door',
      );
    await move(registry, 'door', 'home', { room: 'attic', since: minute(3) });
    const event = { lastEventAt: minute(2), lastEvent: { contact: 'open' } };
    expect(await at('home')).toMatchObject({ room: 'attic', since: minute(3), ...event });
    await move(registry, 'door', 'office', { room: 'desk', since: minute(4) });
    expect(await at('office')).not.toHaveProperty('lastEvent');
    await move(registry, 'door', 'home', { since: minute(5) });
    expect(await at('home')).not.toHaveProperty('lastEvent');
  });

  it('changes nothing when the device is there already', async () => {
    await registry.put(aDevice({ id: 'same' }));
    await move(registry, 'same', 'home', { room: 'hall', since: minute(1) });
    for (const since of [minute(1), minute(0), minute(9), undefined]) {
      const answer = await move(registry, 'same', 'home', {
        room: 'hall',
        ...(since !== undefined && { since }),
      });
      expect(answer).toMatchObject({ status: 200, body: { ...there, since: minute(1) } });
    }
    expect(await versionOf('same')).toBe(2);
    expect(await history('same')).toHaveLength(1);
  });

  it('accepts epoch seconds and milliseconds, and defaults to now', async () => {
    await registry.put(aDevice({ id: 'clock' }));
    const seconds = Date.parse(minute(1)) / 1000;
    expect((await move(registry, 'clock', 'home', { since: seconds })).body).toMatchObject({
      since: minute(1),
    });
    const before = Date.now();
    const { body } = await move(registry, 'clock', 'office');
    const since = Date.parse((body as { since: string }).since);
    expect(since).toBeGreaterThanOrEqual(before);
    expect(since).toBeLessThanOrEqual(Date.now());
  });

  it('rejects times before the last move, and times in the future', async () => {
    await registry.put(aDevice({ id: 'past' }));
    await move(registry, 'past', 'home', { room: 'hall', since: minute(5) });
    for (const since of [minute(4), minute(5)]) {
      const { status, body } = await move(registry, 'past', 'home', { since });
      expect(status).toBe(409);
      expect(body).toMatchObject({ type: '/problems/history-conflict' });
    }
    const future = new Date(Date.now() + 90_000).toISOString();
    const { status, body } = await move(registry, 'past', 'home', { since: future });
    expect(status).toBe(400);
    expect(body).toMatchObject({
      type: '/problems/invalid-request',
      errors: [{ path: 'body.since', message: 'must be at most a minute in the future' }],
    });
    expect(await history('past')).toEqual([{ ...there, since: minute(5) }]);
  });

  it.each([
    ['nobody', 'home', undefined, 'device-not-found'],
    ['known', 'nowhere', undefined, 'place-not-found'],
    ['known', 'home', 'nowhere', 'room-not-found'],
    ['known', 'home', 'desk', 'room-not-found'],
  ])('does not place %s at %s, %s: %s', async (id, place, room, code) => {
    await registry.put(aDevice({ id: 'known' }));
    const { status, body } = await move(registry, id, place, room === undefined ? {} : { room });
    expect(status).toBe(404);
    expect(body).toMatchObject({ type: `/problems/${code}` });
    expect(await devicesAt('home')).not.toContain('known');
    expect(await versionOf('known')).toBe(1);
  });

  it('keeps to If-Match', async () => {
    await registry.put(aDevice({ id: 'matched', version: 3 }));
    expect(await move(registry, 'matched', 'home', { ifMatch: '"2"' })).toMatchObject({
      status: 412,
      body: { detail: 'The device "matched" has version 3 now.' },
    });
    expect(await move(registry, 'matched', 'home', { ifMatch: '"3"' })).toMatchObject({
      status: 200,
    });
    expect(await move(registry, 'matched', 'office', { ifMatch: '"3"' })).toMatchObject({
      status: 412,
    });
    expect(await devicesAt('home')).toContain('matched');
  });

  it.each([
    [{ since: 'yesterday' }, 'body.since'],
    [{ since: '2026-02-30T00:00:00Z' }, 'body.since'],
    [{ since: 1e99 }, 'body.since'],
    [{ since: null }, 'body.since'],
    [{ room: '' }, 'body.room'],
    [{ room: '..' }, 'body.room'],
    [{ place: 'home' }, 'body.place'],
    [[], 'body'],
  ])('refuses %j', async (body, path) => {
    const address = '/v1/places/home/devices/known';
    const answer: TestResponse = await registry.ask(address, { method: 'PUT', body });
    expect(answer.status).toBe(400);
    expect(answer.body).toMatchObject({
      errors: expect.arrayContaining([expect.objectContaining({ path })]) as unknown,
    });
  });
});

describe('DELETE /v1/places/{place}/devices/{device}', () => {
  it('removes the device, which is then unplaced and can return', async () => {
    await registry.put(aDevice({ id: 'guest' }));
    await move(registry, 'guest', 'home', { room: 'hall', since: minute(1) });
    expect(await takeAway(registry, 'guest', 'home')).toMatchObject({ status: 204 });
    expect(await devicesAt('home')).not.toContain('guest');
    const [left] = await history('guest');
    expect(left).toMatchObject({ ...there, since: minute(1), until: expect.any(String) as string });
    expect(await takeAway(registry, 'guest', 'home')).toMatchObject({
      status: 404,
      body: { type: '/problems/placement-not-found' },
    });
    await move(registry, 'guest', 'home', { room: 'hall' });
    expect(await history('guest')).toHaveLength(2);
    expect(await devicesAt('home')).toContain('guest');
  });

  it('does not take it from where it is not', async () => {
    await registry.put(aDevice({ id: 'stays' }));
    await move(registry, 'stays', 'home', { since: minute(1) });
    expect(await takeAway(registry, 'stays', 'office')).toMatchObject({ status: 404 });
    expect(await takeAway(registry, 'nobody', 'home')).toMatchObject({
      status: 404,
      body: { type: '/problems/device-not-found' },
    });
    expect(await devicesAt('home')).toContain('stays');
  });
});

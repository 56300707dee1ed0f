import { aDevice, openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';

describe('GET /v1/devices/{id}', () => {
  const registry = openBeforeAll(startRegistry);

  it('gives the device, with its version as ETag, for one GetItem', async () => {
    await registry.put(aDevice({ id: 'meter-1', name: 'Smart meter', kind: 'meter', version: 7 }));
    const cost = await registry.costOf(async () => {
      const answer = await registry.ask('/v1/devices/meter-1');
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers.get('etag')).toMatch(/^"7-[0-9A-Z]{9}\.[\w-]{22}"$/);
      expect(answer.body).toEqual({
        id: 'meter-1',
        name: 'Smart meter',
        kind: 'meter',
        status: 'active',
        registeredAt: '2026-11-01T00:00:00.000Z',
        lastSeenAt: '2026-11-20T09:00:00.000Z',
        version: 7,
      });
    });
    expect(cost).toEqual({ GetItem: 1 });
  });

  it('shows that the clock of the device is ahead, also in lists', async () => {
    const at = Date.parse('2026-11-20T09:00:00Z');
    await registry.put(aDevice({ id: 'early', clockAhead: { readings: 3, ms: 28_800_400, at } }));
    const clockAhead = { readings: 3, seconds: 28_800, at: '2026-11-20T09:00:00.000Z' };
    expect((await registry.ask('/v1/devices/early')).body).toMatchObject({ clockAhead });
    const { body } = await registry.ask('/v1/devices?order=lastSeen');
    const { items } = body as { items: { id: string }[] };
    expect(items.find(({ id }) => id === 'early')).toMatchObject({ clockAhead });
  });

  it.each(['居間-1', 'front door', 'a/b', 'a#b$c%', '😀', 'constructor'])(
    'finds %j',
    async (id) => {
      await registry.put(aDevice({ id }));
      const { body } = await registry.ask(`/v1/devices/${encodeURIComponent(id)}`);
      expect(body).toMatchObject({ id });
    },
  );

  it('finds an id however its accents were typed', async () => {
    await registry.put(aDevice({ id: 'café' }));
    const { body } = await registry.ask(`/v1/devices/${encodeURIComponent('cafe\u0301')}`);
    expect(body).toMatchObject({ id: 'café' });
  });

  it('names the missing device', async () => {
    const { status, body } = await registry.ask('/v1/devices/nobody');
    expect(status).toBe(404);
    expect(body).toMatchObject({ type: expect.stringContaining('device-not-found') as string });
    expect(body).toMatchObject({ detail: 'There is no device "nobody".' });
  });

  it.each([
    ['x'.repeat(200), 'has 200 characters, at most 128 are allowed'],
    ['a%0Ab', 'has a control character'],
  ])('refuses an id that no device can have', async (id, message) => {
    const { status, body } = await registry.ask(`/v1/devices/${id}`);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: 'path.id', message }] });
  });

  it('takes no parameters', async () => {
    const { status, body } = await registry.ask('/v1/devices/nobody?limit=1');
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: 'query.limit' }] });
  });
});

import { blockItem } from '@engawa/model';
import { aDevice, aReading, openBeforeAll } from '@engawa/testing';
import { startRegistry } from './registry.ts';
import type { TestResponse } from './registry.ts';

interface ListedDevice {
  id: string;
  lastSeenAt?: string;
  place?: string;
}

interface DevicePage {
  items: ListedDevice[];
  cursor?: string;
}

const minute = 60_000;

describe('GET /v1/devices by last seen', () => {
  const registry = openBeforeAll(startRegistry);
  const now = Date.now();
  /** Minutes ago: what the item says, and where it is older than that, the newest reading. */
  const devices: [id: string, noted: number, read?: number][] = [
    ['talks', 30, 1],
    ['talks too', 50, 2],
    ['fell silent late', 100, 70],
    ['on the edge', 90, 50],
    ['silent for hours', 300, 250],
    ['silent for a day', 24 * 60],
  ];

  beforeAll(async () => {
    for (const [id, noted, read = noted] of devices) {
      await registry.put(aDevice({ id, lastSeenAt: now - noted * minute, place: 'home' }));
      for (const time of [now - (noted + 400) * minute, now - read * minute]) {
        const readings = [aReading({ time })];
        await registry.table.put(blockItem({ device: id, readings }));
      }
    }
    await registry.ask('/v1/devices/never heard of', { method: 'PUT', body: {} });
  });

  function ask(parameters: Record<string, string>): Promise<TestResponse> {
    return registry.ask(`/v1/devices?${new URLSearchParams(parameters).toString()}`);
  }

  async function list(parameters: Record<string, string>): Promise<DevicePage> {
    const answer = await ask(parameters);
    expect(answer.status).toBe(200);
    return answer.body as DevicePage;
  }

  async function walk(parameters: Record<string, string>): Promise<ListedDevice[]> {
    const items: ListedDevice[] = [];
    let cursor: string | undefined;
    do {
      const page: DevicePage = await list({ ...parameters, ...(cursor && { cursor }) });
      items.push(...page.items);
      cursor = page.cursor;
    } while (cursor !== undefined);
    return items;
  }

  const ids = (items: ListedDevice[]) => items.map(({ id }) => id);
  const ago = (minutes: number) => new Date(now - minutes * minute).toISOString();

  const noted = [
    'never heard of',
    'silent for a day',
    'silent for hours',
    'fell silent late',
    'on the edge',
    'talks too',
    'talks',
  ];

  it('returns the longest silent first, for one Query, with all properties', async () => {
    const cost = await registry.costOf(async () => {
      const { items } = await list({ order: 'lastSeen' });
      expect(ids(items)).toEqual(noted);
      expect(items[0]).not.toHaveProperty('lastSeenAt');
      expect(items[2]).toMatchObject({ lastSeenAt: ago(300), place: 'home' });
    });
    expect(cost).toEqual({ Query: 1 });
  });

  it.each(['1', '3'])('gives the newest first, in pages of %s', async (limit) => {
    expect(ids(await walk({ order: '-lastSeen', limit }))).toEqual(noted.toReversed());
  });

  it('returns exactly the silent devices, with their last-seen times', async () => {
    const cost = await registry.costOf(async () => {
      const { items, cursor } = await list({ silentFor: 'PT1H' });
      expect(ids(items)).toEqual(noted.slice(0, 4));
      expect(items.map(({ lastSeenAt }) => lastSeenAt)).toEqual([
        undefined,
        ago(24 * 60),
        ago(300), // noted: that it was read later does not matter, for that was hours ago, too
        ago(70),
      ]);
      expect(cursor).toBeUndefined();
    });
    // The list, and a look for the newest reading of the two that were noted in the hour before.
    expect(cost).toEqual({ Query: 3 });
  });

  it.each([
    ['PT1M', ['on the edge', 'talks too', 'talks'], true],
    ['PT90S', ['talks'], false],
    ['PT1H', ['on the edge'], false],
    ['PT45M', ['on the edge'], true],
    ['P1D', ['never heard of', 'silent for a day'], true],
    ['PT71M', ['fell silent late'], false],
    ['PT25H', ['silent for a day'], false],
  ])('finds of %s: %j %j', async (silentFor, some, areSilent) => {
    const found = ids(await walk({ silentFor }));
    expect(found.filter((id) => some.includes(id))).toEqual(areSilent ? some : []);
  });

  it('returns each once in pages of 1, with a cursor on every page but the last', async () => {
    expect(ids(await walk({ silentFor: 'PT1H', limit: '1' }))).toEqual(noted.slice(0, 4));
  });

  it('keeps the time of the first page', async () => {
    const { cursor = '' } = await list({ silentFor: 'PT1H', limit: '3' });
    const clock = jest.spyOn(Date, 'now').mockReturnValue(now + 30 * minute);
    try {
      expect(ids(await walk({ silentFor: 'PT1H' }))).toContain('on the edge');
      const rest = await list({ silentFor: 'PT1H', cursor });
      expect(ids(rest.items)).toEqual(['fell silent late']);
    } finally {
      clock.mockRestore();
    }
  });

  it('reads all partitions of a sharded device', async () => {
    const lastSeenAt = now - 90 * minute;
    const shards = [{ since: 0, count: 4, from: 0 }];
    await registry.put(
      aDevice({ id: 'spread', lastSeenAt, shards }),
      aDevice({ id: 'spread and silent', lastSeenAt, shards }),
    );
    const readings = [aReading({ time: now - 5 * minute })];
    await registry.table.put(blockItem({ device: 'spread', readings, shard: 3 }));
    const found = ids(await walk({ silentFor: 'PT1H' }));
    expect(found.filter((id) => id.startsWith('spread'))).toEqual(['spread and silent']);
  });

  it('counts the receipt, also of a device whose clock is behind or ahead', async () => {
    const clocks: [id: string, aheadHours: number, receivedAgo: number][] = [
      ['behind, talks', -10, 10],
      ['behind, silent', -10, 70],
      ['ahead, talks', 8, 10],
      ['ahead, silent', 8, 70],
    ];
    for (const [id, aheadHours, receivedAgo] of clocks) {
      await registry.put(aDevice({ id, lastSeenAt: now - 80 * minute }));
      const receivedAt = now - receivedAgo * minute;
      const receipt = { receivedAt, isAhead: aheadHours > 0, origin: 'test', sequence: 1 };
      const readings = [aReading({ time: receivedAt + aheadHours * 60 * minute })];
      await registry.table.put(blockItem({ device: id, readings, receipt }));
    }
    const found = await walk({ silentFor: 'PT1H' });
    const silent = found.filter(({ id }) => clocks.some(([known]) => known === id));
    expect(silent.map(({ id, lastSeenAt }) => [id, lastSeenAt])).toEqual([
      ['ahead, silent', ago(70)],
      ['behind, silent', ago(70)],
    ]);
  });

  it('gives them row by row', async () => {
    const csv = await registry.ask('/v1/devices?silentFor=PT1H&limit=2', {
      headers: { accept: 'text/csv' },
    });
    const lines = String(csv.body).trimEnd().split('\r\n');
    expect(lines[0]).toBe('id,name,kind,status,registeredAt,lastSeenAt,place,room,labels,metadata');
    expect(lines.slice(1).map((line) => line.split(',')[0])).toEqual([
      'never heard of',
      'silent for a day',
    ]);
    const ndjson = await registry.ask('/v1/devices?order=lastSeen', {
      headers: { accept: 'application/x-ndjson' },
    });
    const rows = ndjson.body as ListedDevice[];
    expect(ids(rows).filter((id) => noted.includes(id))).toEqual(noted);
  });

  it('refuses a cursor for another time of silence', async () => {
    const { cursor = '' } = await list({ silentFor: 'PT1H', limit: '1' });
    const { status, body } = await ask({ silentFor: 'PT2H', limit: '1', cursor });
    expect([status, body]).toMatchObject([
      400,
      { type: expect.stringContaining('invalid-cursor') as string },
    ]);
  });

  it.each([
    [
      'silentFor',
      { silentFor: 'an hour' },
      expect.stringContaining('must be an ISO 8601 duration'),
    ],
    ['silentFor', { silentFor: 'PT1S' }, 'must be from PT1M to P3650D'],
    ['order', { order: 'size' }, expect.stringContaining('must be')],
    ['order', { silentFor: 'PT1H', order: 'name' }, 'must be lastSeen with silentFor'],
    ['order', { silentFor: 'PT1H', order: '-lastSeen' }, 'must be lastSeen with silentFor'],
    [
      'namePrefix',
      { silentFor: 'PT1H', namePrefix: 'a' },
      'must not be given with another order than name',
    ],
    [
      'namePrefix',
      { order: 'lastSeen', namePrefix: 'a' },
      'must not be given with another order than name',
    ],
  ])('refuses a wrong %s in %j', async (name, parameters, message: unknown) => {
    const { status, body } = await ask(parameters);
    expect(status).toBe(400);
    expect(body).toMatchObject({ errors: [{ path: `query.${name}`, message }] });
  });
});

import { aReading, openBeforeAll, TokenIssuer } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { Device, Reading } from '@engawa/model';
import type { LatestPage, ReadingsPage } from './query-fixture.ts';

const minute = 60_000;
const hour = 60 * minute;
const now = Date.now();

/** Readings of a device whose clock was ahead by `aheadMs`: one a minute, received from `from` until `until`. */
interface Run {
  from: number;
  until: number;
  aheadMs: number;
}

const runs: Record<string, Run[]> = {
  // Its clock was set right an hour ago, and it still sends.
  right: [
    { from: now - 9 * hour, until: now - hour, aheadMs: 8 * hour },
    { from: now - hour, until: now, aheadMs: 0 },
  ],
  // As above, but it is silent since half an hour.
  silent: [
    { from: now - 9 * hour, until: now - hour, aheadMs: 8 * hour },
    { from: now - hour, until: now - hour / 2, aheadMs: 0 },
  ],
  // All times of the wrong clock have passed, and the last right one is before them.
  passed: [
    { from: now - 18 * hour, until: now - 10 * hour, aheadMs: 8 * hour },
    { from: now - 10 * hour, until: now - 3 * hour, aheadMs: 0 },
  ],
  less: [
    { from: now - 2 * hour, until: now - hour, aheadMs: 8 * hour },
    { from: now - hour, until: now, aheadMs: 4 * hour },
  ],
  all: [{ from: now - 9 * hour, until: now, aheadMs: 8 * hour }],
};

function readingsOf(run: Run): { receivedAt: number; reading: Reading }[] {
  const count = Math.floor((run.until - run.from) / minute);
  return Array.from({ length: count }, (_, index) => {
    const receivedAt = run.from + (index + 1) * minute;
    const minutesAgo = Math.round((now - receivedAt) / minute);
    const time = receivedAt + run.aheadMs;
    return { receivedAt, reading: aReading({ time, fields: { minutesAgo } }) };
  });
}

const query = openBeforeAll(() => QueryFixture.open());
beforeAll(async () => {
  for (const [id, parts] of Object.entries(runs)) {
    await store(query, id, parts);
    await query.settle({ place: 'home', room: 'hall', device: id, since: 0 });
  }
  await store(query, 'hot', runs['right'] ?? [], 4);
});

async function store(
  fixture: QueryFixture,
  id: string,
  parts: readonly Run[],
  shards = 1,
): Promise<void> {
  const wrong = parts.findLast(({ aheadMs }) => aheadMs > 0);
  const device: Partial<Device> = {
    place: 'home',
    lastSeenAt: (parts.at(-1)?.until ?? 0) - hour / 2,
    ...(wrong && { clockAhead: { readings: 1, ms: wrong.aheadMs, at: wrong.until } }),
    ...(shards > 1 && { shards: [{ since: 0, count: shards, from: 0 }] }),
  };
  const stored = parts.flatMap(readingsOf);
  for (let shard = 0; shard < shards; shard++) {
    const ofShard = stored.filter((_, index) => index % shards === shard);
    const receipts = ofShard.map(({ receivedAt }) => receivedAt);
    const blocks = single(ofShard.map(({ reading }) => reading));
    await fixture.place({ id, device, blocks, shard, receipts });
  }
}

const minutesAgo = (readings: ReadingsPage['items']) =>
  readings.map(({ fields }) => fields['minutesAgo']);

async function latestOf(id: string, limit = 1) {
  const { body } = await query.ask(`/v1/devices/${id}/latest?limit=${limit}`);
  return minutesAgo((body as LatestPage['items'][0]).readings);
}

/** Minutes since the last reading of each device was received. */
const received = [
  ['right', 0],
  ['silent', 30],
  ['passed', 180],
  ['less', 0],
  ['all', 0],
] as const;

const lastMinutes = (from: number, count: number) =>
  Array.from({ length: count }, (_, index) => from + index);

describe('the latest readings', () => {
  it.each([...received, ['hot', 0] as const])(
    'are those received last, where others were ahead of their receipt: %s',
    async (id, first) => {
      for (const limit of [1, 5, 20]) {
        expect(await latestOf(id, limit)).toEqual(lastMinutes(first, limit));
      }
    },
  );

  it.each([
    '/v1/latest?device=right&device=less',
    '/v1/places/home/latest?',
    '/v1/rooms/home/hall/latest?',
  ])('of several devices are the same: %s', async (path) => {
    const { body } = await query.ask(`${path}&readings=2`);
    for (const { device, readings } of (body as LatestPage).items) {
      expect(minutesAgo(readings)).toEqual(await latestOf(device.id, 2));
    }
  });

  it.each([
    ['right', 3],
    ['all', 3],
    ['less', 4],
    ['silent', 4],
  ])('cost so many Queries instead of one: %s', async (id, queries) => {
    expect(await query.requestsOf('Query', () => latestOf(id))).toBe(queries);
  });

  it('of one moment of receipt are in the order of their blocks', async () => {
    const device = { lastSeenAt: now };
    for (const [index, aheadMs] of [8 * hour, 4 * hour].entries()) {
      const blocks = single([aReading({ time: now + aheadMs, fields: { minutesAgo: index } })]);
      await query.place({ id: 'tie', device, blocks, receipts: [now] });
    }
    expect(await latestOf('tie', 2)).toEqual([1, 0]);
  });

  it('are by their times in blocks of version 0.2', async () => {
    const blocks = single(
      [0, 8 * hour].map((aheadMs, index) =>
        aReading({ time: now + aheadMs, fields: { minutesAgo: index } }),
      ),
    );
    await query.place({ id: 'former', blocks, areFormer: true });
    expect(await latestOf('former', 2)).toEqual([1, 0]);
  });
});

describe('the latest readings for a client of some places', () => {
  const issuer = openBeforeAll(() => TokenIssuer.start());
  const restricted = openBeforeAll(() =>
    QueryFixture.open({
      ...issuer.environment,
      AUTH_PLACES_CLAIM: 'places',
    }),
  );

  it.each(Object.keys(runs))('are those received last: %s', async (id) => {
    await store(restricted, id, runs[id] ?? []);
    await restricted.settle({ place: 'home', device: id, since: now - 10 * hour });
    const token = await issuer.token({ scope: 'query:read', places: ['home'] });
    const path = `/v1/devices/${id}/latest?limit=5`;
    const { body } = await restricted.ask(path, { authorization: `Bearer ${token}` });
    const { readings } = body as LatestPage['items'][0];
    expect(minutesAgo(readings)).toEqual(await latestOf(id, 5));
  });
});

describe('the last values of fields', () => {
  const valueOf = async (path: string) => {
    const { body } = await query.ask(path);
    return (body as { fields: { value: unknown }[] }).fields[0]?.value;
  };

  it.each(received)('are those received last: %s', async (id, value) => {
    for (const names of ['', '&fields=minutesAgo']) {
      expect(await valueOf(`/v1/devices/${id}/fields?from=now-1d${names}`)).toBe(value);
    }
  });

  it('of a place are the same', async () => {
    const { body } = await query.ask('/v1/places/home/fields?fields=minutesAgo');
    const { items } = body as { items: { device: { id: string }; fields: { value: unknown }[] }[] };
    expect(items.map(({ device, fields }) => [device.id, fields[0]?.value])).toEqual([
      ['all', 0],
      ['less', 0],
      ['passed', 180],
      ['right', 0],
      ['silent', 30],
    ]);
  });
});

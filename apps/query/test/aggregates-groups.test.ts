import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { allBuckets, askAggregates, hour, minute } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';
import type { Bucket } from './aggregates.ts';

const midnight = Date.parse('2026-10-01T00:00:00Z');
const iso = (time: number) => new Date(time).toISOString();
const range = { from: iso(midnight), to: iso(midnight + 3 * hour) };
const question = { ...range, fn: 'count', fields: 'power' };

type GroupedBucket = Bucket & { device?: string; room?: string | null };

const fixture = openBeforeAll(() => QueryFixture.open());
let place: string;
beforeEach(async () => {
  place = randomUUID();
  for (const name of ['b', 'a']) await device(name);
  const [a, b] = [`${place} a`, `${place} b`];
  await fixture.settle({ place, room: 'hall', device: a, since: 0, until: midnight + hour });
  await fixture.settle({ place, room: 'attic', device: a, since: midnight + hour });
  await fixture.settle({ place, device: b, since: 0, until: midnight + 2 * hour });
  await fixture.settle({ place, room: 'hall', device: b, since: midnight + 2 * hour });
});

/** With a reading each ten minutes. */
async function device(name: string): Promise<void> {
  const readings = Array.from({ length: 18 }, (_, index) => ({
    time: midnight + index * 10 * minute,
    fields: { power: index },
  }));
  await fixture.place({ id: `${place} ${name}`, blocks: single(readings) });
}

async function grouped(path: string, parameters: Record<string, string>) {
  const buckets = (await allBuckets(fixture, path, {
    ...question,
    ...parameters,
  })) as GroupedBucket[];
  return buckets.map(({ from, device, room, fields }) => [
    (Date.parse(from) - midnight) / hour,
    device?.split(' ')[1] ?? room,
    fields['power']?.['count'],
  ]);
}

const byDevice = [
  [0, 'a', 6],
  [0, 'b', 6],
  [1, 'a', 6],
  [1, 'b', 6],
  [2, 'a', 6],
  [2, 'b', 6],
];
const byRoom = [
  [0, null, 6],
  [0, 'attic', undefined],
  [0, 'hall', 6],
  [1, null, 6],
  [1, 'attic', 6],
  [1, 'hall', undefined],
  [2, null, undefined],
  [2, 'attic', 6],
  [2, 'hall', 6],
];

describe('groupBy', () => {
  it.each(['1', '2', '4', '5', '100'])(
    'returns buckets per device and per room: %s on a page',
    async (limit) => {
      const path = `/v1/places/${place}/aggregates`;
      expect(await grouped(path, { groupBy: 'device', limit })).toEqual(byDevice);
      expect(await grouped(path, { groupBy: 'room', limit })).toEqual(byRoom);
    },
  );

  it('in a room covers its devices while they were there', async () => {
    const path = `/v1/rooms/${place}/hall/aggregates`;
    expect(await grouped(path, { groupBy: 'device' })).toEqual([
      [0, 'a', 6],
      [0, 'b', undefined],
      [1, 'a', undefined],
      [1, 'b', undefined],
      [2, 'a', undefined],
      [2, 'b', 6],
    ]);
  });

  it('has no group for a device outside of the range', async () => {
    const later = { from: iso(midnight + 2 * hour), to: range.to, groupBy: 'room' };
    expect(await grouped(`/v1/places/${place}/aggregates`, later)).toEqual([
      [2, 'attic', 6],
      [2, 'hall', 6],
    ]);
    const before = { from: iso(-3 * hour), to: iso(-hour), groupBy: 'device' };
    expect(await grouped(`/v1/places/${place}/aggregates`, before)).toEqual([]);
  });

  it('is the first column of CSV', async () => {
    const asked = new URLSearchParams({ ...question, groupBy: 'room', limit: '2' }).toString();
    const { text } = await fixture.askFor('text/csv', `/v1/places/${place}/aggregates?${asked}`);
    expect(text.split('\r\n').map((line) => line.split(',')[0])).toEqual(['room', '', 'attic', '']);
  });

  it('returns the whole chart of all groups', async () => {
    const asked = { ...question, groupBy: 'room', maxPoints: '180' };
    const { items, cursor } = await askAggregates(fixture, `/v1/places/${place}/aggregates`, asked);
    expect([items.length, cursor]).toEqual([3 * 180, undefined]);
  });

  it.each(['/v1/devices/x', '/v1/rooms/x/y'])('by room is rejected for %s', async (path) => {
    const { status, body } = await fixture.ask(`${path}/aggregates?groupBy=room`);
    expect([status, body]).toMatchObject([400, { errors: [{ path: 'query.groupBy' }] }]);
  });
});

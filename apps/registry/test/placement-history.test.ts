import { aDevice, openBeforeAll } from '@engawa/testing';
import fc from 'fast-check';
import { anotherReplica, build, itemsOf, minute, move, pathOf, walk } from './places.ts';
import { startRegistry } from './registry.ts';

const registry = openBeforeAll(startRegistry);
beforeAll(async () => {
  for (const place of ['a', 'b']) await build(registry, place, ['1', '2']);
});

interface Spot {
  place: string;
  room?: string;
}

/** Where a device may go: nowhere, to a place, to a room of it. */
const spots: (Spot | undefined)[] = [
  undefined,
  { place: 'a' },
  { place: 'b' },
  { place: 'a', room: '1' },
  { place: 'a', room: '2' },
  { place: 'b', room: '1' },
];

/** What history should be after a move a minute, to these spots one after the other. */
function expected(path: readonly (Spot | undefined)[]): object[] {
  const periods: { spot: Spot | undefined; since: number; until?: number }[] = [];
  for (const [index, spot] of path.entries()) {
    const last = periods.at(-1);
    if (JSON.stringify(last?.spot) === JSON.stringify(spot)) continue;
    if (last !== undefined) last.until = index;
    periods.push({ spot, since: index });
  }
  return periods
    .filter(({ spot }) => spot !== undefined)
    .map(({ spot, since, until }) => ({
      ...spot,
      since: minute(since),
      ...(until !== undefined && { until: minute(until) }),
    }))
    .reverse();
}

it('equals the moves of the device, for random moves and page sizes', async () => {
  let count = 0;
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.constantFrom(...spots), { maxLength: 12 }),
      fc.integer({ min: 1, max: 5 }),
      async (path, limit) => {
        const id = `walker-${count++}`;
        await registry.put(aDevice({ id }));
        const store = anotherReplica(registry);
        for (const [index, to] of path.entries()) {
          // The API takes a device away now; the test wants to say when.
          await store.move({ device: id, to, since: Date.parse(minute(index)) });
        }
        const pages = await walk(registry, pathOf('devices', id, 'placements'), {
          limit: String(limit),
        });
        expect(pages.every(({ items }) => items.length <= limit)).toBe(true);
        expect(itemsOf(pages)).toEqual(expected(path));
      },
    ),
    { numRuns: 60 },
  );
});

describe('GET /v1/devices/{id}/placements', () => {
  it('costs a Query and a look at the device', async () => {
    await registry.put(aDevice({ id: 'cost' }));
    for (const [index, room] of ['1', '2', '1'].entries()) {
      await move(registry, 'cost', 'a', { room, since: minute(index) });
    }
    const path = '/v1/devices/cost/placements';
    expect(await registry.costOf(() => registry.ask(path))).toEqual({ GetItem: 1, Query: 1 });
    const cut = await registry.costOf(() => registry.ask(`${path}?limit=2`));
    expect(cut).toEqual({ GetItem: 1, Query: 2 });
  });

  it('is empty for a device that was nowhere, and not found for none', async () => {
    await registry.put(aDevice({ id: 'still' }));
    expect((await registry.ask('/v1/devices/still/placements')).body).toEqual({ items: [] });
    expect(await registry.ask('/v1/devices/nobody/placements')).toMatchObject({ status: 404 });
  });

  it('returns all rows as a stream', async () => {
    const headers = { accept: 'text/csv' };
    const { body } = await registry.ask('/v1/devices/cost/placements', { headers });
    expect(String(body).split('\r\n')).toEqual([
      'place,room,since,until',
      `a,1,${minute(2)},`,
      `a,2,${minute(1)},${minute(2)}`,
      `a,1,${minute(0)},${minute(1)}`,
      '',
    ]);
  });
});

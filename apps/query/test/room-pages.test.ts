import { devicePartition, parseKey } from '@engawa/keys';
import { deviceItem } from '@engawa/model';
import { aDevice, openBeforeAll } from '@engawa/testing';
import fc from 'fast-check';
import { QueryFixture } from './query-fixture.ts';
import { expectedReadings, room, roomQuestion } from './room.ts';
import { now } from './packed-readings.ts';
import type { ReadingsPage } from './query-fixture.ts';
import type { Roommate } from './room.ts';

/** The service's own clock is another than `now`: blocks have expired long ago, or never will. */
function itemsOf({ blocks, id, epochs, span }: Roommate, device: string): object[] {
  const known = aDevice({
    id: device,
    shards: epochs,
    span: span / 1000,
  });
  return [
    deviceItem(known, { list: 1, seen: 1 }),
    ...blocks.map(({ ttl = 0, ...block }) => {
      const key = parseKey(block);
      if (key.item !== 'block') throw new Error(`a ${key.item} among the blocks of ${id}`);
      const expired = ttl < now / 1000 ? { ttl: 1 } : {};
      return { ...block, ...expired, pk: devicePartition(device, key.shard) };
    }),
  ];
}

describe('all pages of a room', () => {
  const query = openBeforeAll(() => QueryFixture.open());

  it('have each reading once and in order, for random blocks, shards and moves', async () => {
    let runs = 0;
    const limits = fc.constantFrom(1, 3, 10, 1000);
    await fc.assert(
      fc.asyncProperty(room, roomQuestion, limits, async (roommates, asked, limit) => {
        const place = `run ${(runs += 1)}`;
        const nameOf = (id: string) => `${place} ${id}`;
        const settling = roommates.flatMap(({ id, slices }) =>
          slices.map(({ from, to }) => {
            const slice = { device: nameOf(id), since: from, until: to };
            return query.settle({ place, room: 'hall', ...slice });
          }),
        );
        const items = roommates.flatMap((each) => itemsOf(each, nameOf(each.id)));
        await Promise.all([...settling, ...items.map((item) => query.put(item))]);
        const { from, to, order, fields } = asked;
        const pages = await query.walkAll<ReadingsPage>(`/v1/rooms/${place}/hall/readings`, {
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          order,
          limit: String(limit),
          ...(fields && { fields: [...fields].join(',') }),
        });
        const expected = expectedReadings(roommates, asked);
        expect(pages.flatMap(({ items }) => items)).toEqual(
          expected.map(({ device, time, fields }) => {
            return { device: nameOf(device), time: new Date(time).toISOString(), fields };
          }),
        );
      }),
      { numRuns: 60 },
    );
  });
});

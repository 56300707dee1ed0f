import { aReading, openBeforeAll } from '@engawa/testing';
import { packed, QueryFixture, single } from './query-fixture.ts';
import type { Reading } from '@engawa/model';
import type { ReadingsPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const iso = (time: number) => new Date(time).toISOString();
const range = { from: iso(start), to: iso(start + 3_600_000) };
const readings: Reading[] = Array.from({ length: 400 }, (_, index) =>
  aReading({ time: start + index * 1000, fields: { index } }),
);
/** When the device got its four shards. */
const spread = start + 200_000;

/** The readings of a device that has become too hot for one partition, in a later one of its shards. */
describe('a device with shards', () => {
  const query = openBeforeAll(() => QueryFixture.open());

  describe.each(['single', 'packed'])('and %s readings', (how) => {
    const id = `hot ${how}`;
    const blocks = how === 'single' ? single : packed;
    const of = (shard: number) =>
      readings.slice(200).filter((_, index) => Math.floor(index / 3) % 4 === shard);
    beforeAll(async () => {
      const device = {
        shards: [{ since: spread, count: 4, from: 0 }],
        span: how === 'single' ? 0 : 512,
      };
      await query.place({ id, device, blocks: blocks([...readings.slice(0, 200), ...of(0)]) });
      for (const shard of [1, 2, 3]) {
        await query.place({ id, device, shard, blocks: blocks(of(shard)) });
      }
      // Delivered again, and packed into another shard then.
      await query.place({ id, device, shard: 3, blocks: [readings.slice(290, 300)] });
      await query.settle({ place: id, device: id, since: 0 });
    });

    it.each(['asc', 'desc'])('returns each of them once, %s', async (order) => {
      const indexes = readings.map((_, index) => index);
      for (const limit of ['30', '1000']) {
        for (const owner of ['devices', 'places']) {
          const asked = { ...range, order, limit };
          const pages = await query.walkAll<ReadingsPage>(`/v1/${owner}/${id}/readings`, asked);
          const given = pages.flatMap((page) => page.items.map(({ fields }) => fields['index']));
          expect(given).toEqual(order === 'asc' ? indexes : indexes.toReversed());
        }
      }
    });

    it('gives its newest readings', async () => {
      for (const limit of [1, 5, 150, 1000]) {
        const { body } = await query.ask(`/v1/devices/${id}/latest?limit=${limit}`);
        const expected = readings.toReversed().slice(0, limit);
        expect(body).toMatchObject({
          device: { id },
          readings: expected.map(({ time, fields }) => ({ time: iso(time), fields })),
        });
      }
    });
  });

  it('costs one Query for a time with one shard', async () => {
    const asked = { from: range.from, to: iso(spread - 1000), limit: '1000' };
    await query.walk('hot single', asked); // the device is in the cache now
    expect(await query.requestsOf('Query', () => query.walk('hot single', asked))).toBe(1);
  });

  it('takes a Query for each shard', async () => {
    const asking = () => query.ask('/v1/devices/hot single/latest?limit=3');
    expect(await query.requestsOf('Query', asking)).toBe(4);
  });
});

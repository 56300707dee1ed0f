import { aReading, openBeforeAll } from '@engawa/testing';
import { packed, QueryFixture, single } from './query-fixture.ts';
import type { Fields, Reading } from '@engawa/model';
import type { ReadingsPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const iso = (time: number) => new Date(time).toISOString();
const everySecond = (count: number, from = start): Reading[] =>
  Array.from({ length: count }, (_, index) =>
    aReading({ time: from + index * 1000, fields: { index } }),
  );
const range = { from: iso(start), to: iso(start + 3_600_000) };
const indexesOf = (pages: ReadingsPage[]) =>
  pages.flatMap(({ items }) => items.map(({ fields }) => fields['index']));
const indexes = (from: number, to: number) =>
  Array.from({ length: to - from }, (_, index) => from + index);

describe('GET /v1/devices/{id}/readings', () => {
  const query = openBeforeAll(() => QueryFixture.open());

  describe.each(['single', 'packed'])('of %s readings', (how) => {
    const id = `readings ${how}`;
    beforeAll(async () => {
      const readings = everySecond(300);
      const blocks = how === 'single' ? single(readings) : packed(readings);
      await query.place({ id, blocks: [...blocks, ...packed(readings.slice(7, 8))] });
      await query.walk(id, range); // the device is in the cache now
    });

    it.each(['asc', 'desc'])(
      'are complete and without duplicates, %s, for one Query per page',
      async (order) => {
        let pages: ReadingsPage[] = [];
        const requests = await query.requestsOf('Query', async () => {
          pages = await query.walk(id, { ...range, order, limit: '60' });
        });
        const expected = indexes(0, 300);
        expect(indexesOf(pages)).toEqual(order === 'asc' ? expected : expected.reverse());
        expect(requests).toBe(pages.length);
        expect(pages.length).toBeLessThanOrEqual(6);
      },
    );

    it('begin at `from` and end before `to`', async () => {
      const [from, to] = [iso(start + 100_000), iso(start + 110_000)];
      expect(indexesOf(await query.walk(id, { from, to }))).toEqual(indexes(100, 110));
      expect(indexesOf(await query.walk(id, { from, to: from }))).toEqual([]);
    });

    it('accept seconds, milliseconds and offsets', async () => {
      const to = start + 3000;
      for (const from of [start / 1000, start, '2026-11-20T18:00:00+09:00']) {
        const pages = await query.walk(id, { from: String(from), to: iso(to) });
        expect(indexesOf(pages)).toEqual([0, 1, 2]);
      }
    });

    it('read the device once in a few seconds, not per page', async () => {
      const asking = () => query.walk(id, { ...range, limit: '10' });
      expect(await query.requestsOf('GetItem', asking)).toBeLessThanOrEqual(1);
    });
  });

  it('are those of the last 24 hours by default', async () => {
    const hour = 3_600_000;
    const ages = [25, 23, 1];
    const readings = ages.map((age) =>
      aReading({ time: Date.now() - age * hour, fields: { index: age } }),
    );
    await query.place({ id: 'recent', blocks: single(readings) });
    const pages = await query.walk('recent', { limit: '1' });
    expect(indexesOf(pages)).toEqual([23, 1]);
  });

  it.each(['asc', 'desc'])(
    'are complete, %s, also when the device has just begun to pack readings',
    async (order) => {
      const id = `packs now ${order}`;
      const readings = everySecond(300);
      const [first, rest] = [readings.slice(0, 30), readings.slice(30)];
      const even = rest.filter((_, index) => index % 2 === 0);
      const odd = rest.filter((_, index) => index % 2 === 1);
      await query.place({ id, blocks: single(first) });
      await query.walk(id, range); // the device is in the cache now, with single readings
      await query.place({ id, blocks: [...packed(odd), ...packed(even)] });
      const pages = await query.walk(id, { ...range, order, limit: '25' });
      const expected = indexes(0, 300);
      expect(indexesOf(pages)).toEqual(order === 'asc' ? expected : expected.reverse());
    },
  );

  it('end, on every page, with the moment of the first one', async () => {
    const reading = (time: number, index: number) => aReading({ time, fields: { index } });
    const before = [reading(Date.now() - 2000, 1), reading(Date.now() - 1000, 2)];
    await query.place({ id: 'live', blocks: single(before) });
    const { body } = await query.ask('/v1/devices/live/readings?limit=1');
    await query.place({ id: 'live', blocks: [[reading(Date.now(), 3)]] });
    const { cursor = '' } = body as ReadingsPage;
    expect(indexesOf(await query.walk('live', { cursor }))).toEqual([2]);
  });

  it('have only the requested fields', async () => {
    const constructorField: Fields = { constructor: 5 };
    const blocks = single([
      aReading({ time: start, fields: { temperature: 1, humidity: 2, pk: 3 } }),
      aReading({ time: start + 1, fields: { door: 'open' } }),
      aReading({ time: start + 2, fields: { 温度: 4 } }),
      aReading({ time: start + 3, fields: constructorField }),
    ]);
    await query.place({ id: 'fields', blocks });
    const fieldsOf = async (fields: string) => {
      const pages = await query.walk('fields', { ...range, fields });
      return pages.flatMap(({ items }) => items.map((reading) => reading.fields));
    };
    expect(await fieldsOf('temperature,pk')).toEqual([{ temperature: 1, pk: 3 }]);
    expect(await fieldsOf('constructor,温度')).toEqual([{ 温度: 4 }, constructorField]);
    expect(await fieldsOf('valueOf')).toEqual([]);
  });

  it('end after finitely many short pages where hardly any reading matches', async () => {
    // More than eight Queries of a megabyte.
    const bulky = Array.from({ length: 150 }, (_, index) =>
      aReading({ time: start + index, fields: { text: 'x'.repeat(60_000), index } }),
    );
    const last = aReading({ time: start + 1000, fields: { wanted: true } });
    await query.place({ id: 'bulky', blocks: single([...bulky, last]) });
    const asked = { ...range, fields: 'wanted', limit: '1000' };
    const requests = await query.requestsOf('Query', async () => {
      const pages = await query.walk('bulky', asked);
      expect(pages.map(({ items }) => items.length)).toEqual([0, 1]);
    });
    expect(requests).toBeLessThan(12);
  });
});

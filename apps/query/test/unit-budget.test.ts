import { aReading, openBeforeAll } from '@engawa/testing';
import { QueryFixture, single } from './query-fixture.ts';
import type { ReadingsPage } from './query-fixture.ts';

const start = Date.UTC(2026, 10, 20, 9);
const devices = Array.from({ length: 30 }, (_, index) => `sensor-${index}`);

describe('the unit budget of a page', () => {
  const query = openBeforeAll(() => QueryFixture.open({ REQUEST_UNIT_LIMIT: '25' }));
  beforeAll(async () => {
    for (const [index, id] of devices.entries()) {
      const since = start + index * 1000;
      await query.place({ id, blocks: single([aReading({ time: since })]) });
      await query.settle({ place: 'home', device: id, since });
    }
  });

  it('is charged for device items, too: the page that reads them is shorter', async () => {
    const range = { from: String(start), to: String(start + 60_000) };
    const pages = await query.walkAll<ReadingsPage>('/v1/places/home/readings', range);
    const found = pages.flatMap(({ items }) => items.map(({ device }) => device));
    expect(found).toEqual(devices);
    expect(pages.length).toBeGreaterThan(1);
  });
});

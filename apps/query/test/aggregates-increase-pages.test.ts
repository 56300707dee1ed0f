import { randomUUID } from 'node:crypto';
import { openBeforeAll } from '@engawa/testing';
import { allBuckets, hour } from './aggregates.ts';
import { QueryFixture, single } from './query-fixture.ts';

const day = 24 * hour;
const midnight = Date.parse('2026-10-01T00:00:00Z');
const iso = (time: number) => new Date(time).toISOString();

/** Units that one page may cost. */
describe.each(['1', '1000'])('where a page may cost %s units, the increase', (units) => {
  const fixture = openBeforeAll(() => QueryFixture.open({ REQUEST_UNIT_LIMIT: units }));

  /** A meter that counts 40 between two readings, so many days from each to the next. */
  async function meter(days: number, count: number): Promise<string> {
    const id = randomUUID();
    const readings = Array.from({ length: count }, (_, index) => ({
      time: midnight + index * days * day + hour,
      fields: { energy: 1000 + index * 40, other: 1 },
    }));
    await fixture.place({ id, blocks: single(readings) });
    return id;
  }

  async function increases(path: string, question: Record<string, string>): Promise<unknown[]> {
    const parameters = { fn: 'increase', fields: 'energy', every: 'P1D', ...question };
    const buckets = await allBuckets(fixture, path, parameters);
    return buckets.map(({ fields }) => fields['energy']?.['increase'] ?? 0);
  }

  it.each([2, 5])(
    'of a meter read every %s days is the same on pages of any size',
    async (days) => {
      const id = await meter(days, 11);
      const range = { from: iso(midnight), to: iso(midnight + (10 * days + 1) * day) };
      const expected = Array.from({ length: 10 * days + 1 }, (_, index) =>
        index > 0 && index % days === 0 ? 40 : 0,
      );
      for (const limit of ['1', '3', '100']) {
        expect([limit, await increases(id, { ...range, limit })]).toEqual([limit, expected]);
      }
    },
  );

  it('of a room counts from the last value of each device there, not from before it came', async () => {
    const place = randomUUID();
    const [old, moved] = [await meter(3, 8), await meter(4, 6)];
    await fixture.settle({ place, device: old, since: midnight - day });
    await fixture.settle({ place, device: moved, since: midnight + 2 * day });
    const range = { from: iso(midnight), to: iso(midnight + 22 * day) };
    for (const limit of ['1', '5', '1000']) {
      const values = await increases(`/v1/places/${place}/aggregates`, { ...range, limit });
      // The moved one is read there for the first time on the fourth day.
      const expected = Array.from({ length: 22 }, (_, index) => {
        const ofOld = index > 0 && index % 3 === 0 ? 40 : 0;
        const ofMoved = index > 4 && index % 4 === 0 && index <= 20 ? 40 : 0;
        return ofOld + ofMoved;
      });
      expect([limit, values]).toEqual([limit, expected]);
    }
  });

  it('begins with the last value before the range, however old it is, on every page', async () => {
    const id = await meter(2, 6);
    const to = iso(midnight + 11 * day);
    for (const limit of ['1', '3', '100']) {
      for (const from of [midnight + day, midnight + day + 2 * hour, midnight + 2 * day]) {
        const [first, second] = await increases(id, { from: iso(from), to, limit });
        expect([limit, from, Number(first) + Number(second)]).toEqual([limit, from, 40]);
      }
    }
  });
});

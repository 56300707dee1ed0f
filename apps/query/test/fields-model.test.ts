import { RequestBudget, allPlaces } from '@engawa/http';
import { deviceItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import fc from 'fast-check';
import { latestFields } from '../src/fields/fields-of-device.ts';
import { Corrections } from '../src/corrections/corrections.ts';
import { readPage } from '../src/readings/read-page.ts';
import { answerQuery } from './answer-query.ts';
import { history, naive, now, packedReadingsOf } from './packed-readings.ts';
import type { Key, ShardEpoch } from '@engawa/keys';
import type { Fields } from '@engawa/model';
import type { LatestField } from '../src/fields/fields-of-device.ts';
import type { PackedReadings } from './packed-readings.ts';
import type { ReadingStore, ReadingsRequest } from '../src/readings/reading-store.ts';

/** The last values of the fields of a device with these blocks, at most a few blocks in a Query. */
async function latest(
  { blocks, span }: PackedReadings,
  { epochs, blocksPerQuery, ...request }: Asked,
): Promise<LatestField[]> {
  const device = aDevice({ id: 'hot', shards: epochs, span: Math.ceil(span / 1000) });
  const items = [...blocks, deviceItem(device, { list: 1, seen: 1 }) as object as Key];
  const table = {
    query: (query: Parameters<typeof answerQuery>[1]) =>
      Promise.resolve(answerQuery(items, query, blocksPerQuery)),
  };
  const page = ({ periods, budget, signal, ...request }: ReadingsRequest) => {
    const overlay = Corrections.none.shown;
    const slices = periods.map((period) => ({ ...period, device, overlay }));
    const onLongerBlock = () => undefined;
    return readPage({ table, request, slices, onLongerBlock, budget, signal, now });
  };
  const budget = new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity });
  const { signal } = new AbortController();
  const periods = [{ device: 'hot', from: now - 60_000, to: now + 60_000 }];
  const limits = { budget, signal, places: allPlaces };
  const store = { page } as unknown as ReadingStore;
  return (await latestFields(store, { periods, limits, ...request })).fields;
}

interface Asked {
  epochs: ShardEpoch[];
  blocksPerQuery: number;
  from: number;
  names?: ReadonlySet<string> | undefined;
}

const askedOf = (contents?: readonly Fields[]) =>
  history.chain((epochs) =>
    fc.record({
      packed: packedReadingsOf('hot', epochs, contents),
      epochs: fc.constant(epochs),
      from: fc.nat(20).map((step) => now + step * 500),
      blocksPerQuery: fc.integer({ min: 2, max: 8 }),
    }),
  );

describe('the last values of the fields of a device', () => {
  it('are those of its newest readings, for any blocks and shards', async () => {
    const someNames = fc.constantFrom(undefined, new Set(['a']), new Set(['b', 'constructor']));
    await fc.assert(
      fc.asyncProperty(askedOf(), someNames, async ({ packed, ...asked }, names) => {
        const fields = await latest(packed, { ...asked, names });
        const expected = new Map<string, number>();
        for (const { time, fields } of naive(packed.readings, 'desc')) {
          for (const name of Object.keys(fields)) {
            if (time < asked.from || !(names?.has(name) ?? true) || expected.has(name)) continue;
            expected.set(name, time);
          }
        }
        const times = fields.map(({ name, time }) => [name, time] as const);
        expect(new Map(times)).toEqual(expected);
        for (const { name, value, time } of fields) {
          const there = packed.readings.filter((reading) => reading.time === time);
          expect(there.map((reading) => reading.fields[name])).toContain(value);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('are the same by name as among all, for any losses of lists and maps', async () => {
    const contents: Fields[] = [
      { 'l.0': 1, 'l.1': 2, x: 1 },
      { 'l.0': 1 },
      { l: null },
      { 'l.0.a': 1, 'l.1.a': 2 },
      { 'l.0.a': null },
      { 'l.0': null, 'l.1.a': 3 },
      { l: 5 },
      { x: 2 },
    ];
    const names = ['l', 'l.0', 'l.1', 'l.0.a', 'l.1.a', 'x'];
    const someNames = fc.subarray(names, { minLength: 1 }).map((some) => new Set(some));
    await fc.assert(
      fc.asyncProperty(askedOf(contents), someNames, async ({ packed, ...asked }, names) => {
        const all = await latest(packed, asked);
        const expected = all.filter(({ name }) => names.has(name));
        expect(await latest(packed, { ...asked, names })).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});

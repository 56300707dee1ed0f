import { RequestBudget, allPlaces } from '@engawa/http';
import { deviceItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import fc from 'fast-check';
import { latestFields } from '../src/fields/fields-of-device.ts';
import { Corrections } from '../src/corrections/corrections.ts';
import { readPage } from '../src/readings/read-page.ts';
import { answerQuery } from './answer-query.ts';
import { history, naive, now, packedReadingsOf } from './packed-readings.ts';
import type { Key } from '@engawa/keys';
import type { ReadingStore, ReadingsRequest } from '../src/readings/reading-store.ts';

const asked = history.chain((epochs) =>
  fc.record({
    packed: packedReadingsOf('hot', epochs),
    epochs: fc.constant(epochs),
    from: fc.nat(20).map((step) => now + step * 500),
    names: fc.option(fc.constantFrom(new Set(['a']), new Set(['b', 'constructor'])), {
      nil: undefined,
    }),
    blocksPerQuery: fc.integer({ min: 2, max: 8 }),
  }),
);

describe('the last values of the fields of a device', () => {
  it('are those of its newest readings, for any blocks and shards', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ packed, epochs, from, names, blocksPerQuery }) => {
        const device = aDevice({ id: 'hot', shards: epochs, span: Math.ceil(packed.span / 1000) });
        const items = [...packed.blocks, deviceItem(device, { list: 1, seen: 1 }) as object as Key];
        const table = {
          query: (request: Parameters<typeof answerQuery>[1]) =>
            Promise.resolve(answerQuery(items, request, blocksPerQuery)),
        };
        const page = ({ periods, budget, signal, ...request }: ReadingsRequest) => {
          const corrections = Corrections.none;
          const slices = periods.map((period) => ({ ...period, device, corrections }));
          const onLongerBlock = () => undefined;
          return readPage({ table, request, slices, onLongerBlock, budget, signal, now });
        };
        const budget = new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity });
        const { signal } = new AbortController();
        const periods = [{ device: 'hot', from: now - 60_000, to: now + 60_000 }];
        const limits = { budget, signal, places: allPlaces };
        const store = { page } as unknown as ReadingStore;
        const { fields } = await latestFields(store, { periods, from, names, limits });
        const expected = new Map<string, number>();
        for (const { time, fields } of naive(packed.readings, 'desc')) {
          for (const name of Object.keys(fields)) {
            if (time < from || !(names?.has(name) ?? true) || expected.has(name)) continue;
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
});

import { RequestBudget } from '@engawa/http';
import { deviceItem } from '@engawa/model';
import { aDevice } from '@engawa/testing';
import fc from 'fast-check';
import { answerQuery } from '../../test/answer-query.ts';
import { history, naive, now, packedReadingsOf } from '../../test/packed-readings.ts';
import { CorrectionStore } from '../corrections/correction-store.ts';
import { latestOfDevice } from './latest-of-device.ts';
import type { Key, ShardEpoch } from '@engawa/keys';
import type { PackedReadings } from '../../test/packed-readings.ts';

interface LatestCase {
  packed: PackedReadings;
  epochs: ShardEpoch[];
  limit: number;
  blocksPerQuery: number;
  queries: number;
}

const latestCase = history.chain((epochs) =>
  fc.record({
    packed: packedReadingsOf('hot', epochs),
    epochs: fc.constant(epochs),
    limit: fc.integer({ min: 1, max: 12 }),
    blocksPerQuery: fc.integer({ min: 2, max: 8 }),
    queries: fc.integer({ min: 1, max: 4 }),
  }),
);

async function latest({ packed, epochs, limit, blocksPerQuery, queries }: LatestCase) {
  const device = aDevice({ id: 'hot', shards: epochs });
  const items = [...packed.blocks, deviceItem(device, { list: 1, seen: 1 }) as object as Key];
  const table = {
    query: (request: Parameters<typeof answerQuery>[1]) =>
      Promise.resolve(answerQuery(items, request, blocksPerQuery)),
  };
  const budget = new RequestBudget({ deadlineMs: Infinity, maxUnits: queries });
  const { signal } = new AbortController();
  const store = new CorrectionStore(table);
  const correctionsOf: CorrectionStore['of'] = (...asked) => store.of(...asked);
  return latestOfDevice({ table, correctionsOf, id: 'hot', limit, budget, signal, now });
}

describe('latestOfDevice', () => {
  it('gives the newest readings of all shards', async () => {
    await fc.assert(
      fc.asyncProperty(latestCase, async (asked) => {
        const found = await latest({ ...asked, queries: Infinity });
        const expected = naive(asked.packed.readings, 'desc');
        expect(found?.device.id).toBe('hot');
        expect(times(found?.readings)).toEqual(times(expected).slice(0, asked.limit));
        expect(found?.readings).toEqual(naive((found?.readings ?? []).toReversed(), 'desc'));
        expect(expected).toEqual(expect.arrayContaining(found?.readings ?? []));
      }),
      { numRuns: 1000 },
    );
  });

  it('returns fewer readings where the budget is spent, but never misses a newer one', async () => {
    await fc.assert(
      fc.asyncProperty(latestCase, async (asked) => {
        const readings = (await latest(asked))?.readings ?? [];
        const expected = naive(asked.packed.readings, 'desc');
        expect(times(readings)).toEqual(times(expected).slice(0, readings.length));
      }),
      { numRuns: 1000 },
    );
  });
});

function times(readings: readonly { time: number }[] = []): number[] {
  return readings.map(({ time }) => time);
}

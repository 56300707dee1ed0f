import { RequestBudget } from '@engawa/http';
import { aDevice } from '@engawa/testing';
import fc from 'fast-check';
import { answerQuery } from '../../test/answer-query.ts';
import { history, naive, now, packedReadingsOf } from '../../test/packed-readings.ts';
import { scanReadings } from './scan-readings.ts';
import type { Reading } from '@engawa/model';

const scanCase = history.chain((epochs) =>
  fc.record({
    epochs: fc.constant(epochs),
    packed: packedReadingsOf('hot', epochs),
    blocksPerQuery: fc.integer({ min: 1, max: 8 }),
    valuesPerChunk: fc.integer({ min: 1, max: 8 }),
    from: fc.nat(20).map((step) => now + step * 500 - 250),
    length: fc.nat(20).map((step) => step * 500),
  }),
);

describe('scanReadings', () => {
  it('returns each reading of the range once and in order, from all shards', async () => {
    await fc.assert(
      fc.asyncProperty(
        scanCase,
        async ({ epochs, packed, blocksPerQuery, valuesPerChunk, from, length }) => {
          const to = from + length;
          const device = aDevice({ id: 'hot', span: packed.span / 1000, shards: epochs });
          const scan = scanReadings({
            table: {
              query: (request) =>
                Promise.resolve(answerQuery(packed.blocks, request, blocksPerQuery)),
            },
            device,
            from,
            to,
            now,
            valuesPerChunk,
            budget: new RequestBudget({ deadlineMs: Infinity, maxUnits: Infinity }),
            signal: new AbortController().signal,
          });
          const given: Reading[] = [];
          for await (const { readings } of scan) given.push(...readings);
          const expected = naive(packed.readings, 'asc');
          expect(naive(given, 'asc')).toEqual(
            expected.filter(({ time }) => time >= from && time < to),
          );
          expect(given.map(({ time }) => time)).toEqual(
            given.map(({ time }) => time).toSorted((left, right) => left - right),
          );
          expect(naive(given, 'asc')).toHaveLength(given.length);
        },
      ),
      { numRuns: 1000 },
    );
  });
});

import { blockItem } from '@engawa/model';
import { aReading } from '@engawa/testing';
import fc from 'fast-check';
import { naive, now, packedReadings } from '../../test/packed-readings.ts';
import { Corrections } from '../corrections/corrections.ts';
import { newestReadings } from './newest-readings.ts';

const overlay = Corrections.none.shown;
const knownFrom = -Infinity;

describe('newestReadings', () => {
  const limits = fc.integer({ min: 1, max: 10 });

  it('gives the newest of all readings when it has all blocks', () => {
    fc.assert(
      fc.property(packedReadings, limits, (packed, limit) => {
        const blocks = packed.blocks.toReversed();
        const readings = newestReadings({ blocks, overlay, complete: true, limit, now, knownFrom });
        const expected = naive(packed.readings, 'desc');
        expect(times(readings)).toEqual(times(expected).slice(0, limit));
        expect(readings).toEqual(naive(readings.toReversed(), 'desc'));
        expect(expected).toEqual(expect.arrayContaining(readings));
      }),
      { numRuns: 1000 },
    );
  });

  it('returns no reading that an unfetched block could precede', () => {
    fc.assert(
      fc.property(packedReadings, limits, fc.nat(14), (packed, limit, fetched) => {
        const blocks = packed.blocks.toReversed().slice(0, fetched);
        const readings = newestReadings({
          blocks,
          overlay,
          complete: false,
          limit,
          now,
          knownFrom,
        });
        const expected = naive(packed.readings, 'desc');
        expect(readings).toEqual(expected.slice(0, readings.length));
      }),
      { numRuns: 1000 },
    );
  });

  it.each([1, 7])('needs one more block than readings: %d', (limit) => {
    const blocks = Array.from({ length: limit + 1 }, (_, index) =>
      blockItem({ device: 'climate-1', readings: [aReading({ time: now - index })] }),
    );
    expect(
      newestReadings({ blocks, overlay, complete: false, limit, now, knownFrom }),
    ).toHaveLength(limit);
  });
});

function times(readings: readonly { time: number }[]): number[] {
  return readings.map(({ time }) => time);
}

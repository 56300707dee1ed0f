import fc from 'fast-check';
import { contentOf } from './reading.ts';
import { sortedUnique, sortInSlices } from './sort-readings.ts';
import type { Reading } from './reading.ts';

const few: fc.Arbitrary<Reading> = fc.record({
  time: fc.integer({ min: 0, max: 3 }),
  fields: fc.record({ a: fc.integer({ min: 0, max: 2 }) }),
});

function compareReadings(left: Reading, right: Reading): number {
  if (left.time !== right.time) return left.time - right.time;
  const [a, b] = [contentOf(left), contentOf(right)];
  return a < b ? -1 : a > b ? 1 : 0;
}

describe('sorting readings', () => {
  it('equals a sort by pairwise comparison for any order', () => {
    fc.assert(
      fc.property(fc.array(few, { maxLength: 40 }), (readings) => {
        const compared = readings.toSorted(compareReadings).filter((reading, index, all) => {
          const previous = all[index - 1];
          return previous === undefined || compareReadings(previous, reading) !== 0;
        });
        expect(sortedUnique(readings)).toEqual(compared);
        expect(sortedUnique(readings.toReversed())).toEqual(compared);
      }),
    );
  });

  it('returns thousands of readings of one moment in the same order for any input order, each once', () => {
    const at = (value: number): Reading => ({ time: 1, fields: { value } });
    const all = Array.from({ length: 5000 }, (_, index) => at((index * 7919) % 4001));
    const sorted = sortedUnique(all);
    expect(sorted).toHaveLength(4001);
    expect(sortedUnique(all.toReversed())).toEqual(sorted);
    expect(sorted).toEqual(sorted.toSorted(compareReadings));
  });

  it('has no expensive step', () => {
    const all = Array.from({ length: 20_000 }, (_, value) => ({ time: 1, fields: { value } }));
    const costs = [...sortInSlices(all)];
    expect(Math.max(...costs)).toBeLessThanOrEqual(2000);
  });
});

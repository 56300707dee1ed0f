import fc from 'fast-check';
import { capBySize, distributeUnits } from './distribute-units.ts';
import type { RequestCharges } from '../items/charged-part.ts';

const chargesOf = (sizes: readonly number[], minUnits = 1): RequestCharges => ({
  unit: 'write',
  minUnits,
  parts: sizes.map((size) => ({
    partitions: [],
    mayHaveUnknownIndexKeys: false,
    size: () => size,
  })),
});

it('gives each part its own units', () => {
  expect(distributeUnits(8, chargesOf([100, 5000, 1024, 100]))).toEqual([1, 5, 1, 1]);
  expect(distributeUnits(16, chargesOf([100, 5000, 1024, 100], 2))).toEqual([2, 10, 2, 2]);
});

it('computes no size where every part took the minimum', () => {
  const parts = [1, 2].map(() => ({
    partitions: [],
    mayHaveUnknownIndexKeys: false,
    size: () => NaN,
  }));
  expect(distributeUnits(2, { unit: 'write', minUnits: 1, parts })).toEqual([1, 1]);
  // An entry of an index that did not change consumes nothing.
  expect(distributeUnits(1, { unit: 'write', minUnits: 1, parts })).toEqual([0.5, 0.5]);
});

it('divides units evenly that no size explains', () => {
  // An entry that moved was deleted and inserted.
  expect(distributeUnits(4, chargesOf([100, 100]))).toEqual([2, 2]);
});

it('distributes all units for any sizes', () => {
  const size = fc.integer({ min: 0, max: 400_000 });
  const units = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 100 }), units, (sizes, all) => {
      const shares = distributeUnits(all, chargesOf(sizes));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(all, 4);
      expect(shares.every((share) => share >= 0)).toBe(true);
    }),
  );
});

it('attributes units to unknown keys that known keys cannot have consumed', () => {
  expect(capBySize(9, chargesOf([100, 2000]))).toBe(3);
  expect(capBySize(2, chargesOf([100, 2000]))).toBe(2);
});

import fc from 'fast-check';
import { capped, shareOut } from './share-out.ts';
import type { Charges } from '../items/charged-part.ts';

const chargesOf = (sizes: readonly number[], least = 1): Charges => ({
  unit: 'write',
  least,
  parts: sizes.map((size) => ({ partitions: [], isOpen: false, size: () => size })),
});

it('gives each what it takes by itself', () => {
  expect(shareOut(8, chargesOf([100, 5000, 1024, 100]))).toEqual([1, 5, 1, 1]);
  expect(shareOut(16, chargesOf([100, 5000, 1024, 100], 2))).toEqual([2, 10, 2, 2]);
});

it('looks at no size where everybody took the least', () => {
  const parts = [1, 2].map(() => ({ partitions: [], isOpen: false, size: () => NaN }));
  expect(shareOut(2, { unit: 'write', least: 1, parts })).toEqual([1, 1]);
  // Of an index, some may have taken nothing: the entry is as it was.
  expect(shareOut(1, { unit: 'write', least: 1, parts })).toEqual([0.5, 0.5]);
});

it('shares evenly what no size explains', () => {
  // Each entry was moved: it was taken out and put in again.
  expect(shareOut(4, chargesOf([100, 100]))).toEqual([2, 2]);
});

it('shares all there is, whatever the sizes', () => {
  const size = fc.integer({ min: 0, max: 400_000 });
  const units = fc.double({ min: 0, max: 1e6, noNaN: true });
  fc.assert(
    fc.property(fc.array(size, { minLength: 1, maxLength: 100 }), units, (sizes, all) => {
      const shares = shareOut(all, chargesOf(sizes));
      expect(shares.reduce((sum, share) => sum + share, 0)).toBeCloseTo(all, 4);
      expect(shares.every((share) => share >= 0)).toBe(true);
    }),
  );
});

it('leaves to those that are not known what the known ones cannot have taken', () => {
  expect(capped(9, chargesOf([100, 2000]))).toBe(3);
  expect(capped(2, chargesOf([100, 2000]))).toBe(2);
});

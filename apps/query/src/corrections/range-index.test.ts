import fc from 'fast-check';
import { RangeIndex } from './range-index.ts';

it('finds exactly the ranges that touch another one', () => {
  const from = fc.integer({ min: -1e9, max: 1e12 });
  const length = fc.oneof(fc.nat(10), fc.nat(1e5), fc.nat(1e10), fc.nat(1e12)).map((ms) => ms + 1);
  const range = fc.tuple(from, length).map(([start, ms]) => ({ from: start, to: start + ms }));
  fc.assert(
    fc.property(fc.array(range, { maxLength: 60 }), range, (ranges, asked) => {
      const touching = ranges.filter((one) => one.from < asked.to && one.to > asked.from);
      const found = new RangeIndex(ranges).touching(asked);
      expect(new Set(found)).toEqual(new Set(touching));
      expect(found).toHaveLength(touching.length);
    }),
  );
});

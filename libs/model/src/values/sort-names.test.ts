import fc from 'fast-check';
import { sortNames } from './sort-names.ts';

it('gives the order of sort', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'binary' }), { maxLength: 40 }), (names) => {
      expect(sortNames([...names])).toEqual([...names].sort());
    }),
  );
});

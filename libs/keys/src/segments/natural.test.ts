import fc from 'fast-check';
import { compareBytes } from '../byte-order.ts';
import { natural } from './natural.ts';

const sorted = (names: readonly string[]) =>
  names.toSorted((left, right) => compareBytes(natural('n', left), natural('n', right)));

describe('natural order', () => {
  it.each([
    [['Flat 1', 'flat 2', 'Flat ２a', 'FLAT 10', 'Flat 010b', 'Flat 100']],
    [['1. floor', '9. floor', '10. floor', 'Attic', 'Cellar']],
    [['A 0', 'A 00b', 'A 1', 'A 12345678901234567890', 'A 123456789012345678901', 'A x']],
    [['部屋2', '部屋10', '部屋１１']],
  ])('is %j', (names) => {
    expect(sorted(names.toReversed())).toEqual(names);
  });

  it('is that of the numbers, with any text around them', () => {
    const word = fc.stringMatching(/^[a-z ]{0,5}$/);
    fc.assert(
      fc.property(word, fc.maxSafeNat(), fc.maxSafeNat(), word, (before, left, right, after) => {
        const [one, other] = [`${before}${left}${after}`, `${before}${right}${after}`];
        const order = compareBytes(natural('n', one), natural('n', other));
        expect(Math.sign(order)).toBe(Math.sign(left - right));
      }),
    );
  });
});

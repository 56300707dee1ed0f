import fc from 'fast-check';
import { compareBytes } from '../byte-order.ts';
import { decimal, parseDecimalSegment } from './decimal.ts';

/** Whole numbers of up to 38 digits, divided by powers of ten. */
const parts = fc.tuple(
  fc.bigInt({ min: -(10n ** 38n - 1n), max: 10n ** 38n - 1n }),
  fc.integer({ min: 0, max: 40 }),
);
const scaled = ([digits, fraction]: [bigint, number]) => digits * 10n ** BigInt(40 - fraction);
const literal = ([digits, fraction]: [bigint, number]) => `${digits}e-${fraction}`;

describe('a decimal', () => {
  it('sorts by value, to the last of 38 digits', () => {
    fc.assert(
      fc.property(parts, parts, (left, right) => {
        const order = compareBytes(decimal('n', literal(left)), decimal('n', literal(right)));
        const difference = scaled(left) - scaled(right);
        expect(Math.sign(order)).toBe(difference === 0n ? 0 : difference < 0n ? -1 : 1);
      }),
      { numRuns: 2000 },
    );
  });

  it('comes back with all of its digits', () => {
    fc.assert(
      fc.property(parts, (value) => {
        const there = decimal('n', literal(value));
        expect(decimal('n', parseDecimalSegment('n', there))).toBe(there);
      }),
    );
    expect(parseDecimalSegment('n', decimal('n', '-12.50'))).toBe('-0.125e2');
  });

  it('sorts across sign and magnitude', () => {
    const ascending = [
      ...['-1e125', '-20', '-1.23', '-1.2', '-1.19', '-1e-130', '0'],
      ...['1e-130', '0.001', '1', '1.19', '1.2', '1.23', '2', '10', '9.9e125'],
    ];
    const encoded = ascending.map((value) => decimal('n', value));
    expect(encoded.toSorted(compareBytes)).toEqual(encoded);
    expect(new Set(encoded).size).toBe(encoded.length);
  });

  it.each([
    ['1', '1.0'],
    ['-0', '0.00'],
    ['1e+21', '1000000000000000000000'],
    ['.5', '0.50'],
  ])('is one text for %s and %s', (left, right) => {
    expect(decimal('n', left)).toBe(decimal('n', right));
  });

  it('refuses what is no number', () => {
    for (const text of ['', '.', '-', 'NaN', '1e', '1e9999', '0x1', ' 1']) {
      expect(() => decimal('n', text)).toThrow('n: is not a number');
    }
    expect(() => decimal('n', '1e600')).toThrow('n: is out of range');
    for (const text of ['', 'p12', 'n1234', 'o1', 'q5001']) {
      expect(() => parseDecimalSegment('n', text)).toThrow('n: is not an encoded decimal');
    }
  });
});

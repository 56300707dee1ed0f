import fc from 'fast-check';
import { Decimal, parseNumber } from '../values/decimal.ts';
import { compareNumbers, difference, ExactSum } from './exact-sum.ts';
import type { ExactNumber } from '../values/decimal.ts';

const sumOf = (...values: ExactNumber[]) =>
  values.reduce<ExactSum>((sum, value) => sum.add(value), new ExactSum());
const text = (sum: ExactSum) => String(sum.value);

/** Decimal literals of all lengths, as a device writes them. */
const literal = fc
  .tuple(
    fc.boolean(),
    fc.oneof(fc.bigInt(0n, 9999n), fc.bigInt(0n, 10n ** 19n - 1n)),
    fc.option(fc.tuple(fc.nat(12), fc.nat(999_999))),
  )
  .map(([negative, whole, fraction]) => {
    const decimals = fraction === null ? '' : `.${'0'.repeat(fraction[0])}${fraction[1]}`;
    return (negative ? '-' : '') + whole.toString() + decimals;
  });

/** Integer arithmetic: a literal as a multiple of 10^-20. */
function unitsOf(literal: string): bigint {
  const [significand = '', exponent = '0'] = literal.split('e');
  const [whole = '', fraction = ''] = significand.split('.');
  return BigInt(whole + fraction) * 10n ** BigInt(20 + Number(exponent) - fraction.length);
}

describe('an exact sum', () => {
  it('equals the sum of the literals', () => {
    fc.assert(
      fc.property(fc.array(literal, { maxLength: 50 }), (literals) => {
        const sum = sumOf(...literals.map(parseNumber));
        const units = literals.map(unitsOf).reduce((a, b) => a + b, 0n);
        expect(unitsOf(text(sum))).toBe(units);
        expect(sum.sign).toBe(Math.sign(Number(units)));
      }),
      { numRuns: 1000 },
    );
  });

  it('is 0.3 for 0.1 and 0.2', () => {
    expect(sumOf(0.1, 0.2).value).toBe(0.3);
    expect(sumOf(...Array<number>(10_000).fill(0.1)).value).toBe(1000);
  });

  it('keeps digits beyond the precision of doubles', () => {
    expect(text(sumOf(Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER, 0.5))).toBe(
      '18014398509481982.5',
    );
    expect(text(sumOf(new Decimal('12345678901234567890.123'), 1e-7))).toBe(
      '12345678901234567890.1230001',
    );
    expect(text(sumOf(...Array<number>(20).fill(999_999_999_999_999)))).toBe('19999999999999980');
  });

  it('adds numbers of very different magnitude', () => {
    const far = sumOf(1e125, 1e-130);
    expect(text(far)).toBe(`1${'0'.repeat(125)}.${'0'.repeat(129)}1`);
    expect(far.subtract(1e125).value).toBe(1e-130);
  });

  it('adds other sums', () => {
    expect(sumOf(0.25, 1e20).addSum(sumOf(0.75, new Decimal('0.0000001'))).value).toEqual(
      parseNumber('100000000000000000001.0000001'),
    );
  });

  it('is the same with one term as with a further term of 0', () => {
    fc.assert(
      fc.property(literal, fc.integer({ min: 1, max: 1000 }), (given, count) => {
        const value = parseNumber(given);
        const [one, two] = [sumOf(value), sumOf(value, 0)];
        expect([text(one), one.sign]).toEqual([text(two), two.sign]);
        expect(one.dividedBy(count)).toBe(two.dividedBy(count));
        expect(text(new ExactSum().addSum(one).addSum(one))).toBe(text(two.addSum(one)));
        expect(text(one)).toBe(String(value));
      }),
      { numRuns: 1000 },
    );
    expect(sumOf(-0).value).toBe(0);
  });

  it('is divided to the nearest double', () => {
    expect(sumOf(0.1, 0.2).dividedBy(3)).toBe(0.1);
    expect(sumOf(1).dividedBy(3)).toBe(1 / 3);
    expect(sumOf(-10).dividedBy(4)).toBe(-2.5);
  });
});

describe('exact numbers', () => {
  it('are compared by value beyond the precision of doubles', () => {
    const [less, more] = [
      new Decimal('12345678901234567890.1'),
      new Decimal('12345678901234567890.2'),
    ];
    expect(compareNumbers(less, more)).toBeLessThan(0);
    expect(compareNumbers(more, less)).toBeGreaterThan(0);
    expect(compareNumbers(less, new Decimal('12345678901234567890.1'))).toBe(0);
    expect(compareNumbers(2, 10)).toBeLessThan(0);
    expect(difference(0.3, 0.1).value).toBe(0.2);
  });
});

import fc from 'fast-check';
import { byteLength, compareBytes } from '../byte-order.ts';
import { exactNumber, parseExactNumber } from './exact-number.ts';
import { number } from './number.ts';

/** Digits with a point after the first, and an exponent: all numbers of DynamoDB. */
const literal = fc
  .tuple(
    fc.boolean(),
    fc.array(fc.integer({ min: 0, max: 9 }), { minLength: 1, maxLength: 38 }),
    fc.oneof(fc.integer({ min: -130, max: 125 }), fc.integer({ min: -2, max: 2 })),
  )
  .map(([isNegative, [first = 0, ...digits], exponent]) => {
    return `${isNegative ? '-' : ''}${first}.${digits.join('') || '0'}e${exponent}`;
  });
const double = fc
  .double({ noNaN: true, noDefaultInfinity: true, min: -9e125, max: 9e125 })
  .filter((value) => value === 0 || Math.abs(value) >= 1e-130)
  .map(String);

/** Multiples of 10^-170, below the resolution of any number. */
function whole(text: string): bigint {
  const [, sign = '', first = '', fraction = '', exponent = '0'] =
    /^(-?)(\d+)(?:\.(\d+))?(?:e\+?(-?\d+))?$/.exec(text) ?? [];
  const digits = BigInt(sign + first + fraction);
  return digits * 10n ** BigInt(170 + Number(exponent) - fraction.length);
}

function sameOrder(left: string, right: string): void {
  const difference = whole(left) - whole(right);
  const order = difference === 0n ? 0 : difference > 0n ? 1 : -1;
  const encoded = compareBytes(exactNumber('n', left), exactNumber('n', right));
  expect([left, right, Math.sign(encoded)]).toEqual([left, right, order]);
}

/** Its neighbours in the last digits, and doubles near it: the likely errors. */
function near(text: string): string[] {
  const [mantissa = '', exponent = '0'] = text.split('e');
  const digits = mantissa.replace(/[-.]/g, '').replace(/^0+(?=\d)/, '');
  const sign = text.startsWith('-') ? '-' : '';
  const point = Number(exponent) - (mantissa.split('.')[1]?.length ?? 0);
  const changed = [-1n, 1n].map((step) => BigInt(digits.padEnd(38, '0')) + step);
  const shift = point - (38 - digits.length);
  const spelled = changed
    .filter((value) => value > 0n && String(value).length <= 38)
    .map((value) => `${sign}${value}e${shift}`);
  return [...spelled, String(Number(text))];
}

describe('an exact number', () => {
  it('sorts by value, for any two numbers that the table stores', () => {
    fc.assert(
      fc.property(literal, literal, (left, right) => sameOrder(left, right)),
      { numRuns: 3000 },
    );
  });

  it('sorts by value among numbers of nearly the same size', () => {
    fc.assert(
      fc.property(fc.oneof(literal, double), (text) => {
        for (const other of near(text)) sameOrder(text, other);
      }),
      { numRuns: 3000 },
    );
  });

  it('of a double equals the encoding as a double', () => {
    fc.assert(
      fc.property(double, (text) => {
        expect(exactNumber('n', text)).toBe(number('n', Number(text)));
      }),
      { numRuns: 1000 },
    );
  });

  it('decodes to all of its digits', () => {
    fc.assert(
      fc.property(fc.oneof(literal, double), (text) => {
        const there = exactNumber('n', text);
        const back = parseExactNumber('n', there);
        expect([back, exactNumber('n', back)]).toEqual([back, there]);
        expect(whole(back)).toBe(whole(text));
      }),
      { numRuns: 3000 },
    );
  });

  it.each([
    ['1', '1.0'],
    ['-0', '0.00'],
    ['1e+21', '1000000000000000000000'],
    ['0.1234567890123456789', '0.12345678901234567890'],
  ])('is one text for %s and %s', (left, right) => {
    expect(exactNumber('n', left)).toBe(exactNumber('n', right));
  });

  it('rejects values that are not numbers', () => {
    for (const text of ['', '.', '-', 'NaN', '1e', '0x1', ' 1']) {
      expect(() => exactNumber('n', text)).toThrow('n: is not a number');
    }
    for (const text of ['', '1', `${number('n', 1)}1`, `${number('n', 1)}${'w'.repeat(17)}`]) {
      expect(() => parseExactNumber('n', text)).toThrow('n: is not an encoded number');
    }
  });

  it('has one of two lengths, and no more digits than the table stores', () => {
    const largest = exactNumber('n', `-${'9'.repeat(38)}e88`);
    expect(byteLength(largest)).toBe(33);
    expect(byteLength(exactNumber('n', '0.1'))).toBe(16);
    expect(() => exactNumber('area', `1${'0'.repeat(40)}1`)).toThrow('area: has more than 38');
  });
});

import fc from 'fast-check';
import { Decimal, parseNumber } from './decimal.ts';
import { parseExactJson, UnfitNumber } from './json.ts';

/** A literal's value as an integer and a power of ten, by decimal arithmetic. */
function valueOf(literal: string): { coefficient: bigint; exponent: number } {
  const [mantissa = '', power = '0'] = literal.toLowerCase().split('e');
  const [whole = '', fraction = ''] = mantissa.split('.');
  let coefficient = BigInt(whole.replace('+', '') + fraction);
  let exponent = Number(power) - fraction.length;
  while (coefficient !== 0n && coefficient % 10n === 0n) {
    coefficient /= 10n;
    exponent += 1;
  }
  return coefficient === 0n ? { coefficient, exponent: 0 } : { coefficient, exponent };
}

const digits = (most: number) =>
  fc.string({ unit: fc.integer({ min: 0, max: 9 }).map(String), minLength: 1, maxLength: most });
const literal = fc
  .tuple(
    fc.constantFrom('', '-'),
    digits(20),
    digits(18),
    fc.integer({ min: -80, max: 80 }),
    fc.boolean(),
  )
  .map(([sign, whole, fraction, power, scientific]) =>
    scientific ? `${sign}${whole}.${fraction}e${power}` : `${sign}${whole}.${fraction}`,
  );

describe('a number', () => {
  it('is exact, and is a double where a double is exact', () => {
    fc.assert(
      fc.property(literal, (text) => {
        const value = parseNumber(text);
        expect(valueOf(String(value))).toEqual(valueOf(text));
        expect(valueOf(JSON.stringify(value))).toEqual(valueOf(text));
        const double = String(Number(text));
        const fits = valueOf(double).coefficient === valueOf(text).coefficient;
        expect(typeof value).toBe(fits ? 'number' : 'object');
      }),
      { numRuns: 1000 },
    );
  });

  it('has one spelling for each value', () => {
    const spellings = [
      '12345678901234567890.5',
      '12345678901234567890.500',
      '1.23456789012345678905e19',
    ];
    expect(spellings.map((text) => String(parseNumber(text)))).toEqual(Array(3).fill(spellings[0]));
  });

  it('has one zero', () => {
    expect(Object.is(parseNumber('-0.0'), 0)).toBe(true);
    expect(Object.is(parseNumber('-0e5'), 0)).toBe(true);
  });

  it.each([
    ['123456789012345678901234567890123456789', 'a number of 39 digits: at most 38 are kept'],
    ['1e126', 'a number out of range'],
    ['1e-131', 'a number out of range'],
    ['0x10', 'is not a number'],
    ['NaN', 'is not a number'],
    ['', 'is not a number'],
    ['1-2', 'is not a number'],
  ])('is not made of %s', (text, message) => {
    expect(() => parseNumber(text)).toThrow(message);
  });

  it('may have 38 digits, and the largest and smallest magnitudes of the table', () => {
    const most = '12345678901234567890123456789012345678';
    expect(String(parseNumber(most))).toBe(most);
    expect(parseNumber('1e125')).toBe(1e125);
    const largest = `9.${'9'.repeat(37)}e125`; // as a double it is 1e126
    expect(String(parseNumber(largest))).toBe(largest);
    expect(String(parseNumber(`-${largest}`))).toBe(`-${largest}`);
    expect(parseNumber('-1e-130')).toBe(-1e-130);
  });
});

describe('parseExactJson', () => {
  it('is JSON.parse where no precision is lost', () => {
    fc.assert(
      fc.property(fc.jsonValue({ maxDepth: 4 }), (value) => {
        fc.pre(!/e-\d{3}|e\+\d{3}/.test(JSON.stringify(value))); // out of the table's range
        const text = JSON.stringify(value);
        const plain = JSON.stringify(JSON.parse(text)); // equal except for -0
        expect(JSON.stringify(parseExactJson(text))).toBe(plain);
      }),
    );
  });

  it('keeps all digits, and returns unrepresentable numbers as UnfitNumber', () => {
    const parsed = parseExactJson('{"a": 9007199254740993, "b": [1e400, 1.5], "c": "1e400"}');
    expect(parsed).toMatchObject({
      a: new Decimal('9007199254740993'),
      b: [expect.any(UnfitNumber), 1.5],
      c: '1e400',
    });
  });

  it('does not set the prototype for the key __proto__', () => {
    const parsed = parseExactJson('{"__proto__": {"x": 12345678901234567890}}') as object;
    expect(Object.getPrototypeOf(parsed)).toBe(Object.prototype);
    expect(Object.keys(parsed)).toEqual(['__proto__']);
  });
});

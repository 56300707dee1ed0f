import fc from 'fast-check';
import { Decimal, parseNumber, UnfitNumber } from '@engawa/model';
import { UnfitValue } from '../refusals/unfit-value.ts';
import { nameQuantities, product, shift, valueAt } from './quantities.ts';
import type { QuantityName } from './quantities.ts';

describe('moving the decimal point', () => {
  it.each([
    [3015, -3, 3.015],
    [6532.4, -3, 6.5324],
    [0.1, -3, 0.0001],
    [1e-7, -3, 1e-10],
    [1e21, 3, 1e24],
    [-1.5, 1, -15],
    [0, -3, 0],
  ])('%d by %d is %d', (value, exponent, expected) => {
    expect(shift(value, exponent)).toBe(expected);
  });

  it('leaves other values than numbers unchanged', () => {
    expect([null, 'x', undefined].map((value) => shift(value, -3))).toEqual([null, 'x', undefined]);
  });

  it('keeps every digit', () => {
    expect(String(shift(new Decimal('12345678901234567890.123'), -3))).toBe(
      '12345678901234567.890123',
    );
    expect(shift(1e-129, -3)).toBeInstanceOf(UnfitNumber);
  });

  it('back and forth changes nothing', () => {
    fc.assert(
      fc.property(fc.integer(), fc.integer({ min: -10, max: 10 }), (value, exponent) => {
        expect(shift(shift(value, exponent), -exponent)).toBe(value === 0 ? 0 : value);
      }),
    );
  });
});

describe('a product', () => {
  it('is exact', () => {
    expect(product(182345, 1, 0.1)).toBe(18234.5);
    expect(product(0.1, 0.2)).toBe(0.02);
    expect(product(-3, 1.1)).toBe(-3.3);
    expect(product(parseNumber('12345678901234567890'), 0.1)).toEqual(
      new Decimal('1234567890123456789'),
    );
  });

  it('of too many digits is refused, not rounded', () => {
    const long = new Decimal('1234567890123456789012345678901234567');
    expect(product(long, long)).toBeInstanceOf(UnfitNumber);
  });
});

describe('a well-known name', () => {
  const quantity = (name: QuantityName, ...path: string[]) => ({ path, name, value: 9.8 });

  it('replaces the name in the payload', () => {
    const fields = { A: { Temperature: 9.8, DewPoint: 1 }, B: { Temperature: 9.8 } };
    const quantities = [
      quantity('temperature', 'A', 'Temperature'),
      quantity('B.temperature', 'B', 'Temperature'),
    ];
    expect(nameQuantities(fields, quantities)).toEqual({
      A: { DewPoint: 1 },
      temperature: 9.8,
      'B.temperature': 9.8,
    });
  });

  it('of two values has none of them, also if one has it in the payload', () => {
    const fields = { A: { Temperature: 9.8 }, B: { Temperature: 9.8 } };
    const two = [
      quantity('temperature', 'A', 'Temperature'),
      quantity('temperature', 'B', 'Temperature'),
    ];
    const unfit = new UnfitValue('field-twice');
    expect(nameQuantities(fields, two)).toEqual({ temperature: unfit });
    const own = { A: { Temperature: 9.8, x: 1 }, temperature: 'warm' };
    const named = nameQuantities(own, two.slice(0, 1));
    expect(named).toEqual({ A: { x: 1 }, temperature: unfit });
  });

  it('leaves a field called __proto__ to be refused', () => {
    const fields = JSON.parse('{"__proto__": {"x": 1}, "t": 9.8}') as Record<string, unknown>;
    const named = nameQuantities(fields, [quantity('temperature', 't')]);
    expect(Object.keys(named)).toEqual(['__proto__', 'temperature']);
    expect(Object.getPrototypeOf(named)).toBe(Object.prototype);
  });
});

it('an inherited property is not found at a path', () => {
  expect(valueAt({}, ['constructor', 'name'])).toBeUndefined();
  expect(valueAt({ a: { b: 1 } }, ['a', 'b'])).toBe(1);
});

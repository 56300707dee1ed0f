import { encode } from 'cborg';
import { Decimal, UnfitNumber } from '@engawa/model';
import { rejectionOf } from '../../test/rejection-of.ts';
import { UnfitValue } from '../refusals/unfit-value.ts';
import { decodeCbor, isCbor } from './cbor.ts';

const ofHex = (hex: string): unknown => decodeCbor(Buffer.from(hex, 'hex'));
/** {"x": …} */
const ofValue = (hex: string): unknown => (ofHex(`a16178${hex}`) as { x: unknown }).x;

describe('CBOR', () => {
  it('equals JSON of the same content', () => {
    const value = { a: [1, -2, 1.5, 'ü', true, null, { b: {} }], '': 0 };
    expect(decodeCbor(encode(value))).toEqual(value);
  });

  it.each([
    ['an integer', '190866', 2150],
    ['a negative one', '3903e7', -1000],
    ['a half float', 'f93e00', 1.5],
    ['a float', 'fa41abb333', 21.462499618530273],
    ['a date as text', 'c06161', 'a'],
    ['a date in seconds', 'c11a6afef408', 1795093512],
    ['undefined', 'f7', null],
    ['a decimal fraction', 'c48220190866', 215],
    ['an indefinite array', '9f0102ff', [1, 2]],
  ])('reads %s', (_name, hex, expected) => {
    expect(ofValue(hex)).toEqual(expected);
  });

  it.each([
    ['2^64 - 1', '1bffffffffffffffff', '18446744073709551615'],
    ['-2^64', '3bffffffffffffffff', '-18446744073709551616'],
    ['2^53 + 1', '1b0020000000000001', '9007199254740993'],
    ['a big number', 'c249010000000000000000', '18446744073709551616'],
    ['a negative big number', 'c349010000000000000000', '-18446744073709551617'],
    ['a long decimal fraction', 'c482221b0123456789abcdef', '81985529216486.895'],
  ])('keeps every digit of %s', (_name, hex, digits) => {
    const value = ofValue(hex);
    expect(String(value)).toBe(digits);
    expect(value instanceof Decimal || Number.isSafeInteger((value as number) * 1000)).toBe(true);
  });

  it.each([
    ['NaN', 'f97e00'],
    ['infinity', 'f97c00'],
    ['1e300', 'fb7e37e43c8800759c'],
    ['a number of 60 bytes', `c2583c${'ff'.repeat(60)}`],
    ['10^(2^32)', 'c4821affffffff01'],
  ])('reports that %s cannot be stored', (_name, hex) => {
    expect(ofValue(hex)).toBeInstanceOf(UnfitNumber);
  });

  it('has unfit values in the place of bytes, and under names that are no text', () => {
    const unfit = new UnfitValue('field-name-not-text', { attribute: 'number' });
    expect(ofHex('a3010261784102617901')).toEqual({
      1: unfit,
      x: new UnfitValue('field-bytes'),
      y: 1,
    });
    // {1: 2, "1": 3}
    expect(ofHex('a20102613103')).toEqual({ 1: new UnfitValue('field-twice') });
  });

  it.each([
    ['an unknown tag', 'a16178d81e820102', 'malformed'],
    ['text that is not UTF-8', 'a1617862ff41', 'malformed'],
    ['an end that is missing', 'a16178', 'malformed'],
    ['trailing bytes', 'a161780101', 'malformed'],
    ['a break for a value', 'bf6178ff', 'malformed'],
    ['a million levels', `${'81'.repeat(1e6)}01`, 'too_deep'],
    ['a million tags', `a16178${'c1'.repeat(1e6)}01`, 'too_deep'],
    ['an array with a huge declared length', '9b0000ffffffffffff01', 'malformed'],
  ])('is refused with %s', (_name, hex, reason) => {
    expect(rejectionOf(() => ofHex(hex)).reason).toBe(reason);
  });

  it('has only the usual prototype', () => {
    const value = ofHex('a1695f5f70726f746f5f5fa1617801');
    expect(Object.getPrototypeOf(value)).toBe(Object.prototype);
    expect(Object.keys(value as object)).toEqual(['__proto__']);
  });

  it('is recognized by its first byte, which JSON never has', () => {
    expect(isCbor(encode({ a: 1 }))).toBe(true);
    for (const json of ['{}', '[]', '1', '"é"', 'true', ' {}', '\ufeff{}']) {
      expect(isCbor(Buffer.from(json))).toBe(false);
    }
  });
});

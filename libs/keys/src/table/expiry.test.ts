import fc from 'fast-check';
import { compareBytes } from '../byte-order.ts';
import { expiriesBefore, expiryIndexKey, expiryKey } from './expiry.ts';
import { parseKey } from './parse-key.ts';

const time = fc.integer({ min: Date.parse('1900-01-01'), max: Date.parse('2100-01-01') });
const name = fc.constantFrom('#', '$', 'A', 'EXPIRES', 'a', '~', '\u{1f600}');

describe('the row of an entity that expires', () => {
  it('names the entity', () => {
    fc.assert(
      fc.property(name, name, (type, id) => {
        expect(parseKey(expiryKey({ type, id }))).toEqual({ item: 'expiryRow', type, id });
      }),
    );
  });

  it('is below a time if and only if its instant is earlier', () => {
    fc.assert(
      fc.property(time, fc.integer({ min: -2, max: 2 }), name, name, (at, more, type, id) => {
        const { gsi2sk } = expiryIndexKey(0, at, { type, id });
        expect(compareBytes(gsi2sk, expiriesBefore(at + more)) <= 0).toBe(more > 0);
      }),
    );
  });
});

import fc from 'fast-check';
import * as keys from '../index.ts';

const name = fc.constantFrom('User', 'email', 'a#b', '#', '$', 'constructor', '居間');
const unique = fc.record({ type: name, attribute: name, value: fc.string({ unit: 'binary' }) });

describe('the key of a unique value', () => {
  it('contains its type and attribute', () => {
    fc.assert(
      fc.property(unique, ({ type, attribute, value }) => {
        const key = keys.uniqueValueKey({ type, attribute, value });
        expect(keys.parseKey(key)).toEqual({
          ...{ item: 'uniqueValue', type, attribute },
          hash: expect.stringMatching(/^[\w-]{43}$/) as string,
        });
        expect(keys.isUniqueValueKey(key)).toBe(true);
        expect(keys.isUniqueValueKey(keys.entityKey({ type, id: 'UNIQUE' }))).toBe(false);
      }),
    );
  });

  it('is equal for equal values only', () => {
    fc.assert(
      fc.property(unique, unique, (one, other) => {
        const isSame = JSON.stringify(one) === JSON.stringify(other);
        expect(keys.uniqueValueKey(one).pk === keys.uniqueValueKey(other).pk).toBe(isSame);
      }),
    );
  });

  it('fits for values of any length', () => {
    const [type, attribute] = ['\uffff'.repeat(128), '#'.repeat(128)];
    const value = 'x'.repeat(100_000);
    expect(keys.uniqueValueKey({ type, attribute, value }).pk.length).toBeLessThan(600);
  });
});

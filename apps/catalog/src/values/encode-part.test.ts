import { attributeIndexKey, byteLength, compareBytes, encodeSegment, KeyError } from '@engawa/keys';
import { Decimal } from '@engawa/model';
import fc from 'fast-check';
import { encodePart, encodeRank, maxParts, textBytes } from './encode-part.ts';
import type { Encoding, SearchPart } from '@engawa/model';

const encodings = ['text', 'collated', 'number', 'instant', 'boolean'] as const;
const partOf = (as: Encoding | 'relation', index = 0): SearchPart =>
  as === 'relation' ? { relation: `r${index}` } : { attribute: `a${index}`, as };
const parts = fc
  .array(fc.constantFrom(...encodings, 'relation' as const), { minLength: 1, maxLength: maxParts })
  .map((kinds) => kinds.map(partOf));
/** An id of maximum length, with three bytes per character. */
const maxLengthId = '居'.repeat(128);
const encoding = (value: string | number | boolean | Decimal, bytes = 600) => ({
  field: 'attributes.a',
  value,
  bytes,
});

/** The longest value whose segment has at most `bytes` bytes. */
function maxValue(part: SearchPart, bytes: number): string | number | boolean {
  switch ('as' in part ? part.as : 'text') {
    case 'number':
      return -1.5;
    case 'instant':
      return '2026-01-02T03:04:05.678Z';
    case 'boolean':
      return false;
    case 'collated':
      return 'x'.repeat(2000);
    case 'text':
      return 'x'.repeat(bytes);
  }
}

describe('the parts of a search', () => {
  it('together with an id of maximum length use a sort key up to its last byte', () => {
    fc.assert(
      fc.property(parts, (search) => {
        const bytes = textBytes(search);
        const values = search.map((part) =>
          encodePart(part, { field: 'x', value: maxValue(part, bytes), bytes }),
        );
        const row = { entity: { type: 'T', id: maxLengthId }, search: 's' };
        const { gsi2sk } = attributeIndexKey(0, row, values);
        expect(byteLength(gsi2sk)).toBeLessThanOrEqual(1024);
        const texts = values.filter((value) => value.startsWith('xx')).length;
        if (texts > 0) expect(byteLength(gsi2sk)).toBeGreaterThan(1024 - texts);
      }),
    );
  });

  it('refuse a text that exceeds the bytes by one, counted as encoded in the key', () => {
    const part = partOf('text');
    expect(encodePart(part, encoding('x'.repeat(600)))).toBe('x'.repeat(600));
    expect(encodePart(part, encoding('#'.repeat(300)))).toBe('#'.repeat(300));
    for (const text of ['x'.repeat(601), '#'.repeat(301), '居'.repeat(201)]) {
      expect(() => encodePart(part, encoding(text))).toThrow(KeyError);
      expect(() => encodePart(partOf('relation'), encoding(text))).toThrow(KeyError);
    }
  });

  it('truncate a collated text to a prefix of its full encoding', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 700 }), (value, bytes) => {
        const part = partOf('collated');
        const segment = encodePart(part, encoding(value, bytes));
        expect(byteLength(encodeSegment(segment))).toBeLessThanOrEqual(bytes);
        expect(encodePart(part, encoding(value, 100_000)).startsWith(segment)).toBe(true);
      }),
    );
  });

  it('sort numbers by value, also with more digits than a double', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (left, right) => {
        const order = compareBytes(
          encodePart(partOf('number'), encoding(left)),
          encodePart(partOf('number'), encoding(right)),
        );
        expect(Math.sign(order)).toBe(Math.sign(left - right) + 0);
      }),
    );
    const exact = encoding(new Decimal('12345678901234567890.1'));
    const [below, above] = [12345678901234567000, 12345678901234570000].map((value) =>
      encoding(value),
    );
    const ranking = { name: 'r', attribute: 'a', layout: 1 } as const;
    for (const encode of [
      (value: typeof exact) => encodePart(partOf('number'), value),
      (value: typeof exact) => encodeRank({ ...ranking, direction: 'ascending' }, value),
    ]) {
      expect(compareBytes(encode(exact), encode(below ?? exact))).toBeGreaterThan(0);
      expect(compareBytes(encode(exact), encode(above ?? exact))).toBeLessThan(0);
    }
    const descending = { ...ranking, direction: 'descending' } as const;
    expect(
      compareBytes(encodeRank(descending, exact), encodeRank(descending, below ?? exact)),
    ).toBeLessThan(0);
  });
});

describe('the sort key of a ranking', () => {
  const ranking = { name: 'r', attribute: 'a', layout: 1 };
  const rank = (direction: 'ascending' | 'descending', value: string | number) =>
    encodeRank({ ...ranking, direction }, encoding(value));

  it('sorts numbers ascending or descending; -0 equals 0', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (left, right) => {
        const order = Math.sign(left - right) + 0;
        const up = compareBytes(rank('ascending', left), rank('ascending', right));
        const down = compareBytes(rank('descending', left), rank('descending', right));
        expect([Math.sign(up) + 0, Math.sign(down) + 0]).toEqual([order, 0 - order]);
      }),
    );
    expect(rank('descending', 0)).toBe(rank('descending', -0));
  });

  it('sorts instants ascending or descending', () => {
    const [early, late] = ['1969-12-31T23:59:59.999Z', '2026-01-02T03:04:05.678Z'];
    expect(rank('ascending', early) < rank('ascending', late)).toBe(true);
    expect(rank('descending', early) > rank('descending', late)).toBe(true);
  });
});

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
/** The longest that there may be in a key: three bytes each. */
const longestId = '居'.repeat(128);
const asked = (value: string | number | boolean | Decimal, bytes = 600) => ({
  field: 'attributes.a',
  value,
  bytes,
});

/** The value of a part whose segment is as long as it may be. */
function longest(part: SearchPart, bytes: number): string | number | boolean {
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
  it('fit a sort key with the longest id, all of them, and leave nothing of it unused', () => {
    fc.assert(
      fc.property(parts, (search) => {
        const bytes = textBytes(search);
        const values = search.map((part) =>
          encodePart(part, { field: 'x', value: longest(part, bytes), bytes }),
        );
        const row = { entity: { type: 'T', id: longestId }, search: 's' };
        const { gsi2sk } = attributeIndexKey(0, row, values);
        expect(byteLength(gsi2sk)).toBeLessThanOrEqual(1024);
        const texts = values.filter((value) => value.startsWith('xx')).length;
        if (texts > 0) expect(byteLength(gsi2sk)).toBeGreaterThan(1024 - texts);
      }),
    );
  });

  it('has a text to the byte, as it is written in a key, or says that it is too long', () => {
    const part = partOf('text');
    expect(encodePart(part, asked('x'.repeat(600)))).toBe('x'.repeat(600));
    expect(encodePart(part, asked('#'.repeat(300)))).toBe('#'.repeat(300));
    for (const text of ['x'.repeat(601), '#'.repeat(301), '居'.repeat(201)]) {
      expect(() => encodePart(part, asked(text))).toThrow(KeyError);
      expect(() => encodePart(partOf('relation'), asked(text))).toThrow(KeyError);
    }
  });

  it('has a collated text cut, so that one text has one place', () => {
    const text = fc.string({ unit: 'grapheme', maxLength: 400 });
    fc.assert(
      fc.property(text, fc.integer({ min: 1, max: 700 }), (value, bytes) => {
        const part = partOf('collated');
        const segment = encodePart(part, asked(value, bytes));
        expect(byteLength(encodeSegment(segment))).toBeLessThanOrEqual(bytes);
        expect(encodePart(part, asked(value, 100_000)).startsWith(segment)).toBe(true);
      }),
    );
  });

  it('orders numbers by their size, also those with more digits than a double has', () => {
    const number = fc.double({ noNaN: true, noDefaultInfinity: true });
    fc.assert(
      fc.property(number, number, (left, right) => {
        const order = compareBytes(
          encodePart(partOf('number'), asked(left)),
          encodePart(partOf('number'), asked(right)),
        );
        expect(Math.sign(order)).toBe(Math.sign(left - right) + 0);
      }),
    );
    const exact = asked(new Decimal('12345678901234567890.1'));
    const [below, above] = [12345678901234567000, 12345678901234570000].map((value) =>
      asked(value),
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

describe('the place in a ranking', () => {
  const ranking = { name: 'r', attribute: 'a', layout: 1 };
  const rank = (direction: 'ascending' | 'descending', value: string | number) =>
    encodeRank({ ...ranking, direction }, asked(value));

  it('is in the order of the numbers, or against it; zero has no sign', () => {
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

  it('is in the order of instants, or against it', () => {
    const [early, late] = ['1969-12-31T23:59:59.999Z', '2026-01-02T03:04:05.678Z'];
    expect(rank('ascending', early) < rank('ascending', late)).toBe(true);
    expect(rank('descending', early) > rank('descending', late)).toBe(true);
  });
});

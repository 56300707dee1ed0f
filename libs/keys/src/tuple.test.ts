import fc from 'fast-check';
import { compareBytes } from './byte-order.ts';
import { decodeTuple, encodeSegment, encodeTuple, tuplePrefix } from './tuple.ts';

// Not fast-check's default alphabet, which is ASCII and finds none of the order bugs.
const segment = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc.string({
    unit: fc.constantFrom('#', '$', '\0', '%', 'S', 'T', ' ', 'a', '\u{10000}', '\uffff'),
  }),
);
const tuple = fc.array(segment, { minLength: 1, maxLength: 4 });

/** The order that tuples should have: segment by segment in UTF-8, a tuple before its continuations. */
function compareTuples(left: string[], right: string[]): number {
  for (let index = 0; index < Math.min(left.length, right.length); index++) {
    const order = Buffer.compare(Buffer.from(left[index] ?? ''), Buffer.from(right[index] ?? ''));
    if (order !== 0) return order;
  }
  return left.length - right.length;
}

describe('a tuple', () => {
  it('comes back from its key as it was', () => {
    fc.assert(
      fc.property(tuple, (segments) =>
        expect(decodeTuple(encodeTuple(segments))).toEqual(segments),
      ),
    );
  });

  it('has a key of its own', () => {
    fc.assert(
      fc.property(tuple, tuple, (left, right) => {
        expect(encodeTuple(left) === encodeTuple(right)).toBe(compareTuples(left, right) === 0);
      }),
    );
  });

  it('is ordered as the bytes of its key', () => {
    fc.assert(
      fc.property(tuple, tuple, (left, right) => {
        const bytes = Buffer.compare(
          Buffer.from(encodeTuple(left)),
          Buffer.from(encodeTuple(right)),
        );
        expect(Math.sign(bytes)).toBe(Math.sign(compareTuples(left, right)));
      }),
      { numRuns: 1000 },
    );
  });

  it('is matched by its prefix only if it begins with the same segments', () => {
    fc.assert(
      fc.property(tuple, tuple, fc.boolean(), (first, other, continues) => {
        const second = continues ? [...first, ...other] : other;
        const begins =
          second.length > first.length && first.every((value, index) => value === second[index]);
        expect(encodeTuple(second).startsWith(tuplePrefix(first))).toBe(begins);
      }),
      { numRuns: 1000 },
    );
  });

  it('keeps ULIDs and instants readable', () => {
    expect(encodeTuple(['', 'TS', '2026-11-19T23:30:00.000Z', '01ARZ3NDEKTSV4RRFFQ69G5FAV'])).toBe(
      '#TS#2026-11-19T23:30:00.000Z#01ARZ3NDEKTSV4RRFFQ69G5FAV',
    );
  });

  it.each(['$', 'a$', '$z', '$#a'])('is not read from the broken key %j', (key) => {
    expect(() => decodeTuple(key)).toThrow('key: has a broken escape');
  });

  it('refuses half of a surrogate pair', () => {
    expect(() => encodeTuple(['ok', '\ud800'])).toThrow('has half of a surrogate pair');
  });
});

describe('a prefix of text', () => {
  it('stays a prefix when both are encoded', () => {
    fc.assert(
      fc.property(segment, segment, (start, rest) => {
        expect(encodeSegment(start + rest).startsWith(encodeSegment(start))).toBe(true);
      }),
    );
  });
});

describe('compareBytes', () => {
  it('agrees with the bytes', () => {
    fc.assert(
      fc.property(segment, segment, (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareBytes(left, right))).toBe(Math.sign(bytes));
      }),
      { numRuns: 1000 },
    );
  });
});

import fc from 'fast-check';
import { compareBytes } from './byte-order.ts';
import { decodeTuple, encodeSegment, encodeTuple, tuplePrefix } from './tuple.ts';

// Not fast-check's default alphabet: ASCII does not reveal errors of order.
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
  it('is decoded from its key unchanged', () => {
    fc.assert(
      fc.property(tuple, (segments) =>
        expect(decodeTuple(encodeTuple(segments))).toEqual(segments),
      ),
    );
  });

  it('has a unique key', () => {
    fc.assert(
      fc.property(tuple, tuple, (left, right) => {
        expect(encodeTuple(left) === encodeTuple(right)).toBe(compareTuples(left, right) === 0);
      }),
    );
  });

  it("has the order of its key's bytes", () => {
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

  it.each(['$', 'a$', '$z', '$#a'])('is not decoded from the broken key %j', (key) => {
    expect(() => decodeTuple(key)).toThrow('key: has a broken escape');
  });

  it('rejects a lone surrogate', () => {
    expect(() => encodeTuple(['ok', '\ud800'])).toThrow('has half of a surrogate pair');
  });
});

describe('a prefix of text', () => {
  it('stays a prefix after encoding', () => {
    fc.assert(
      fc.property(segment, segment, (start, rest) => {
        expect(encodeSegment(start + rest).startsWith(encodeSegment(start))).toBe(true);
      }),
    );
  });
});

describe('compareBytes', () => {
  it('agrees with the order of bytes', () => {
    fc.assert(
      fc.property(segment, segment, (left, right) => {
        const bytes = Buffer.compare(Buffer.from(left), Buffer.from(right));
        expect(Math.sign(compareBytes(left, right))).toBe(Math.sign(bytes));
      }),
      { numRuns: 1000 },
    );
  });
});

import fc from 'fast-check';
import { byteLength, compareBytes } from '../byte-order.ts';
import { encodeSegment } from '../tuple.ts';
import { collated, cutToFit } from './collated.ts';
import { descending } from './descending.ts';
import { earliestInstant, instant, latestInstant, parseInstant } from './instant.ts';
import { number, parseNumberSegment } from './number.ts';
import { id, normalText } from './text.ts';
import { ulid } from './ulid.ts';

const text = fc.oneof(fc.string({ unit: 'binary' }), fc.string({ unit: 'grapheme' }));
const time = fc.integer({ min: earliestInstant, max: latestInstant });
const finite = fc.double({ noNaN: true, noDefaultInfinity: true });

function sameOrder(values: number, encodings: number): void {
  expect(Math.sign(encodings)).toBe(Math.sign(values));
}

describe('an instant', () => {
  it('decodes to the same time, and sorts by time', () => {
    fc.assert(
      fc.property(time, time, (left, right) => {
        expect(parseInstant('t', instant('t', left))).toBe(left);
        sameOrder(left - right, compareBytes(instant('t', left), instant('t', right)));
      }),
    );
  });

  it('has exactly three decimals and the years 0000 to 9999', () => {
    expect(instant('t', earliestInstant)).toBe('0000-01-01T00:00:00.000Z');
    expect(instant('t', latestInstant)).toBe('9999-12-31T23:59:59.999Z');
    expect(() => instant('lastSeen', latestInstant + 1)).toThrow('lastSeen: is outside the years');
    expect(() => instant('lastSeen', 0.5)).toThrow('lastSeen: is not a whole millisecond');
    expect(() => parseInstant('t', '2026-02-30')).toThrow('t: is not an instant');
  });
});

describe('a number', () => {
  it('decodes to the same value, and sorts by value', () => {
    fc.assert(
      fc.property(finite, finite, (left, right) => {
        expect(parseNumberSegment('n', number('n', left))).toBe(left === 0 ? 0 : left);
        sameOrder(
          left === right ? 0 : left - right,
          compareBytes(number('n', left), number('n', right)),
        );
      }),
      { numRuns: 1000 },
    );
  });

  it('sorts across sign and magnitude', () => {
    const ascending = [
      -Number.MAX_VALUE,
      -10,
      -5,
      -Number.MIN_VALUE,
      0,
      1.5,
      10,
      1234567,
      Number.MAX_VALUE,
    ];
    const encoded = ascending.map((value) => number('n', value));
    expect(encoded.toSorted(compareBytes)).toEqual(encoded);
  });

  it('has one zero, and must be finite', () => {
    expect(number('n', -0)).toBe(number('n', 0));
    expect(() => number('score', NaN)).toThrow('score: is not a finite number');
    expect(() => parseNumberSegment('score', '12')).toThrow('score: is not an encoded number');
  });
});

describe('a descending segment', () => {
  it('reverses the order of any text', () => {
    fc.assert(
      fc.property(text, text, (left, right) => {
        sameOrder(compareBytes(right, left), compareBytes(descending(left), descending(right)));
      }),
      { numRuns: 1000 },
    );
  });

  it('puts the longer of two texts first', () => {
    expect(compareBytes(descending('ab'), descending('a'))).toBeLessThan(0);
  });
});

describe('collated text', () => {
  it.each([
    ['ｻｰﾓ', 'サーモ'],
    ['Living', 'ｌｉｖｉｎｇ'],
    ['STRASSE', 'Straße'],
    ['STRAẞE', 'Straße'],
    ['ΟΔΟΣ', 'οδος'],
    ['e\u0301', 'É'],
  ])('treats %s and %s as equal', (left, right) => {
    expect(collated('name', left)).toBe(collated('name', right));
  });

  it('does not change when each letter is collated again', () => {
    const letters = Array.from({ length: 0x11_00_00 }, (_, code) => String.fromCodePoint(code))
      .filter((letter) => /\p{Changes_When_NFKC_Casefolded}/u.test(letter))
      .map((letter) => collated('n', letter));
    expect(letters.length).toBeGreaterThan(10_000);
    expect(letters.map((letter) => collated('n', letter))).toEqual(letters);
  });

  it.each(['\u0130\u0307', 'i\u0307\u0307\u03a3', '\u0130\u0323\u0307', 'ẞ\u0307'])(
    'does not change when %j is collated again',
    (value) => {
      expect(collated('n', collated('n', value))).toBe(collated('n', value));
    },
  );

  it('does not change when collated again', () => {
    fc.assert(
      fc.property(text, (value) =>
        expect(collated('n', collated('n', value))).toBe(collated('n', value)),
      ),
    );
  });

  it('is truncated between characters, to the given bytes', () => {
    fc.assert(
      fc.property(text, fc.nat(40), (value, bytes) => {
        const cut = cutToFit(value, bytes);
        expect(value.startsWith(cut) && cut.isWellFormed()).toBe(true);
        expect(byteLength(encodeSegment(cut))).toBeLessThanOrEqual(bytes);
        const next = String.fromCodePoint(value.codePointAt(cut.length) ?? 0);
        expect(cut === value || byteLength(encodeSegment(cut + next)) > bytes).toBe(true);
      }),
    );
  });
});

describe('an id', () => {
  it.each(['居間-1', 'front door', 'a#b$c', 'x'.repeat(128), 'constructor'])(
    'may be %j',
    (value) => {
      expect(id('device', value)).toBe(value);
    },
  );

  it.each([
    ['', 'is empty'],
    ['x'.repeat(129), 'has 129 characters, at most 128 are allowed'],
    ['a\nb', 'has a control character'],
    ['..', 'must not be ".."'],
    ['\udc00', 'has half of a surrogate pair'],
  ])('may not be %j', (value, reason) => {
    expect(() => id('device', value)).toThrow(`device: ${reason}`);
  });

  it('is the same for composed and decomposed accents', () => {
    expect(id('device', 'cafe\u0301')).toBe(id('device', 'café'));
    expect(normalText('name', 'e\u0301')).toBe('é');
  });
});

describe('a ULID', () => {
  it('is accepted in either case; other text is rejected', () => {
    expect(ulid('id', '01arz3ndektsv4rrffq69g5fav')).toBe('01ARZ3NDEKTSV4RRFFQ69G5FAV');
    expect(() => ulid('id', '81ARZ3NDEKTSV4RRFFQ69G5FAV')).toThrow('id: is not a ULID');
    expect(() => ulid('id', '01ARZ3NDEKTSV4RRFFQ69G5FAU')).toThrow('id: is not a ULID');
  });
});

import fc from 'fast-check';
import { queryWords, wordsOf } from './words.ts';

const asked = (query: string) => queryWords(query).map(({ text }) => text);

/** Like an index: every word of the query equals a word of the text, or is a prefix of one where allowed. */
function finds(text: string, query: string): boolean {
  const words = wordsOf(text);
  return queryWords(query).every((word) =>
    words.some((other) => other === word.text || (word.prefix && other.startsWith(word.text))),
  );
}

const anything = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.string({ unit: 'grapheme' }),
  fc
    .array(fc.constantFrom(...Array.from('照明居間のｶﾞｰテスト ab Éß１２、。-_\u3000ทดส가나')))
    .map((all) => all.join('')),
);

describe('the words of a text', () => {
  it('are folded: case, width and accents of Latin letters', () => {
    expect(wordsOf('Café  STRASSE straße ｻｰﾓ Ｎｏ．１')).toEqual([
      ...['cafe', 'strasse', 'strasse', 'サー', 'ーモ', 'モ', 'no', '1'],
    ]);
    expect(wordsOf('Й и')).toEqual(['й', 'и']);
    expect(wordsOf('が か')).toEqual(['が', 'か']);
  });

  it('are character pairs and the last character in scripts without spaces', () => {
    expect(wordsOf('居間の照明')).toEqual(['居間', '間の', 'の照', '照明', '明']);
    expect(wordsOf('LED照明、床')).toEqual(['led', '照明', '明', '床']);
    expect(wordsOf('𠮷野家')).toEqual(['𠮷野', '野家', '家']);
  });

  it('do not include punctuation, control characters and emoji', () => {
    expect(wordsOf('… --- 、。「」 \u0000\u0007 ~!@#$%^&*()_+ 🎉')).toEqual([]);
    expect(queryWords('')).toEqual([]);
  });

  it('are truncated at the maximum length, equally in text and query', () => {
    const endless = 'a'.repeat(1000);
    expect(wordsOf(endless)).toEqual(['a'.repeat(64)]);
    expect(finds(endless, endless)).toBe(true);
    // The 64th unit is the first half of a surrogate pair.
    expect(
      wordsOf(`${'a'.repeat(63)}${'𝒜'.normalize('NFD')}𐐀`).every((word) => word.isWellFormed()),
    ).toBe(true);
  });

  it('match any substring of a text without spaces', () => {
    fc.assert(
      fc.property(anything, fc.nat(), fc.nat(), (text, from, length) => {
        // A truncated word of a script with spaces is found only by a prefix, so the part begins with the word.
        const characters = Array.from(text);
        const start = Math.min(from, characters.length);
        const before = characters.slice(0, start).join('');
        fc.pre(start === 0 || /[^\p{L}\p{M}\p{N}]$/u.test(before.normalize('NFKC')));
        const part = characters.slice(start, start + (length % 20) + 1).join('');
        // A mark combines with the character before it: cutting between the two gives another text.
        const after = characters[start + (length % 20) + 1] ?? '';
        const beginsWithMark = (rest: string) => /^\p{M}/u.test(rest.normalize('NFKD'));
        fc.pre(!beginsWithMark(after) && (start === 0 || !beginsWithMark(part)));
        fc.pre(wordsOf(text).every((word) => word.length < 60));
        expect({ text, part, found: finds(text, part) }).toEqual({ text, part, found: true });
      }),
      { numRuns: 2000 },
    );
  });

  it('are well-formed and not empty, without spaces and separators, for any text', () => {
    fc.assert(
      fc.property(anything, (text) => {
        for (const word of [...wordsOf(text), ...asked(text)]) {
          expect(word.isWellFormed()).toBe(true);
          expect(word).toMatch(/^[\p{L}\p{M}\p{N}]{1,64}$/u);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('the words of a query', () => {
  it('are distinct; the last word and single characters match as prefixes', () => {
    expect(queryWords('lamp lamp 明 lam')).toEqual([
      { text: 'lamp', prefix: false, fuzzy: false },
      { text: '明', prefix: true, fuzzy: false },
      { text: 'lam', prefix: true, fuzzy: false },
    ]);
  });

  it('match exactly where the last word also occurs earlier', () => {
    expect(queryWords('lamp lamp')).toEqual([{ text: 'lamp', prefix: false, fuzzy: false }]);
  });

  it('are fuzzy where they are Latin and long enough', () => {
    const fuzzy = queryWords('lights lamp e1700 лампочка 照明器具').filter((word) => word.fuzzy);
    expect(fuzzy.map(({ text }) => text)).toEqual(['lights']);
  });
});

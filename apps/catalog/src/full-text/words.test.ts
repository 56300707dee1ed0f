import fc from 'fast-check';
import { queryWords, wordsOf } from './words.ts';

const asked = (question: string) => queryWords(question).map(({ text }) => text);

/** As an index has it: every word of the question is one of the text's, or begins one where that is enough. */
function finds(text: string, question: string): boolean {
  const words = wordsOf(text);
  return queryWords(question).every((word) =>
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
  it('are without case, width and the accents of Latin letters', () => {
    expect(wordsOf('Café  STRASSE straße ｻｰﾓ Ｎｏ．１')).toEqual([
      ...['cafe', 'strasse', 'strasse', 'サー', 'ーモ', 'モ', 'no', '1'],
    ]);
    expect(wordsOf('Й и')).toEqual(['й', 'и']);
    expect(wordsOf('が か')).toEqual(['が', 'か']);
  });

  it('are any two neighbours where a script puts no spaces, and the last character', () => {
    expect(wordsOf('居間の照明')).toEqual(['居間', '間の', 'の照', '照明', '明']);
    expect(wordsOf('LED照明、床')).toEqual(['led', '照明', '明', '床']);
    expect(wordsOf('𠮷野家')).toEqual(['𠮷野', '野家', '家']);
  });

  it('are none in punctuation, control characters and pictures', () => {
    expect(wordsOf('… --- 、。「」 \u0000\u0007 ~!@#$%^&*()_+ 🎉')).toEqual([]);
    expect(queryWords('')).toEqual([]);
  });

  it('are cut where they are endless, the same in text and question', () => {
    const endless = 'a'.repeat(1000);
    expect(wordsOf(endless)).toEqual(['a'.repeat(64)]);
    expect(finds(endless, endless)).toBe(true);
    // Its 64th unit is the first half of a pair.
    expect(
      wordsOf(`${'a'.repeat(63)}${'𝒜'.normalize('NFD')}𐐀`).every((word) => word.isWellFormed()),
    ).toBe(true);
  });

  it('find every part of the text in which they are', () => {
    fc.assert(
      fc.property(anything, fc.nat(), fc.nat(), (text, from, length) => {
        // Where a word of letters with spaces is cut, only its beginning finds it: so the part begins at its beginning.
        const characters = Array.from(text);
        const start = Math.min(from, characters.length);
        const before = characters.slice(0, start).join('');
        fc.pre(start === 0 || /[^\p{L}\p{M}\p{N}]$/u.test(before.normalize('NFKC')));
        const part = characters.slice(start, start + (length % 20) + 1).join('');
        // A mark joins the character before it: a part that is cut between the two, at either end, is another text.
        const after = characters[start + (length % 20) + 1] ?? '';
        const beginsWithMark = (rest: string) => /^\p{M}/u.test(rest.normalize('NFKD'));
        fc.pre(!beginsWithMark(after) && (start === 0 || !beginsWithMark(part)));
        fc.pre(wordsOf(text).every((word) => word.length < 60));
        expect({ text, part, found: finds(text, part) }).toEqual({ text, part, found: true });
      }),
      { numRuns: 2000 },
    );
  });

  it('are well-formed, without spaces, separators and empty ones, whatever the text', () => {
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

describe('the words of a question', () => {
  it('are each once, and of the last and of lone characters the beginning is enough', () => {
    expect(queryWords('lamp lamp 明 lam')).toEqual([
      { text: 'lamp', prefix: false, fuzzy: false },
      { text: '明', prefix: true, fuzzy: false },
      { text: 'lam', prefix: true, fuzzy: false },
    ]);
  });

  it('demand the whole word where they have it before the end too', () => {
    expect(queryWords('lamp lamp')).toEqual([{ text: 'lamp', prefix: false, fuzzy: false }]);
  });

  it('may differ where they are Latin and long enough', () => {
    const fuzzy = queryWords('lights lamp e1700 лампочка 照明器具').filter((word) => word.fuzzy);
    expect(fuzzy.map(({ text }) => text)).toEqual(['lights']);
  });
});

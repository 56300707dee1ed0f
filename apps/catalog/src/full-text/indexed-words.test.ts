import fc from 'fast-check';
import { indexedText, unindexedTexts } from './indexed-words.ts';

describe('the indexed part of texts', () => {
  const texts = fc.dictionary(
    fc.string({ minLength: 1 }),
    fc.integer({ min: 0, max: 90_000 }).map((length) => 'x'.repeat(length)),
    { maxKeys: 6 },
  );

  it('does not depend on the order in which the table returns them', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const entries = Object.entries(given);
        const reversed = new Map(entries.toReversed());
        expect(indexedText(new Map(entries))).toBe(indexedText(reversed));
        expect(unindexedTexts(new Map(entries))).toEqual(unindexedTexts(reversed));
      }),
    );
  });

  it('has at most the maximum, all of it where a text is cut, and the beginning of each text', () => {
    fc.assert(
      fc.property(texts, (given) => {
        const all = new Map(Object.entries(given));
        const cut = unindexedTexts(all);
        const lengths = [...all].map(([name, { length }]) => cut.get(name) ?? length);
        const sum = lengths.reduce((total, length) => total + length, 0);
        expect(sum).toBeLessThanOrEqual(65_536);
        if (cut.size > 0) expect(sum).toBeGreaterThan(65_536 - 6);
        expect(indexedText(all)).toHaveLength(sum + Math.max(0, all.size - 1));
        // The shares of cut texts are equal, and no shorter text is cut.
        expect(new Set(cut.values()).size).toBeLessThan(2);
      }),
    );
  });
});

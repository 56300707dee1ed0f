import type { QueryWord } from '../words.ts';

/**
 * The words of a search as an FTS5 expression. A prefix word is also matched exactly, so that BM25
 * counts an exact match twice: it ranks above longer words. Words are letters, marks and digits
 * (words.ts), so they need no escaping in quotes.
 * @param similarTo index words that match a fuzzy word
 * @see https://www.sqlite.org/fts5.html#full_text_query_syntax
 */
export function matchExpression(
  words: readonly QueryWord[],
  similarTo: (word: QueryWord) => readonly string[],
): string {
  return words
    .map((word) => {
      const quoted = `"${word.text}"`;
      const alternatives = [
        quoted,
        ...(word.prefix ? [`${quoted} *`] : []),
        ...similarTo(word).map((other) => `"${other}"`),
      ];
      return alternatives.length === 1 ? quoted : `(${alternatives.join(' OR ')})`;
    })
    .join(' AND ');
}

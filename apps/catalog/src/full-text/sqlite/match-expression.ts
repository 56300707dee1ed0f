import type { QueryWord } from '../words.ts';

/**
 * The words of a search as an FTS5 expression. A word that may be a beginning also matches as itself, so that BM25
 * counts the whole word twice: those who have it come before those who only have a longer one. Words are letters, marks
 * and digits (words.ts), so none of them can end its quotes.
 * @param similarTo words of the index that are as good as a word that may differ
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

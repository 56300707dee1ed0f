import type { TextQuestion } from '../text-index.ts';
import type { AskedWord } from '../words.ts';

/**
 * A document: its words are made here (see words.ts) and joined by spaces, so that what is found does not depend on which
 * index is asked; OpenSearch's own analyser for Chinese, Japanese and Korean cuts texts otherwise. It is not kept whole.
 */
export const indexBody = {
  mappings: {
    dynamic: 'strict',
    _source: { includes: ['key'] },
    properties: {
      /** The tuple of type and id, which tells ties apart too. */
      key: { type: 'keyword' },
      type: { type: 'keyword' },
      words: { type: 'text', analyzer: 'whitespace' },
    },
  },
} as const;

/** What is asked of `_search`. */
export function searchBody({ words, lenient, types, limit }: Omit<TextQuestion, 'signal'>) {
  return {
    size: limit,
    track_total_hits: false,
    _source: ['key'],
    query: {
      bool: {
        must: words.map((word) => clauseOf(word, lenient)),
        filter: types.length === 0 ? [] : [{ terms: { type: types } }],
      },
    },
    sort: ['_score', { key: 'asc' }],
  };
}

function clauseOf({ text: value, prefix, mayDiffer }: AskedWord, lenient: boolean) {
  const exact = { term: { words: { value } } };
  const more = [
    ...(prefix ? [{ prefix: { words: { value } } }] : []),
    // As in the embedded index: one letter.
    ...(lenient && mayDiffer ? [{ fuzzy: { words: { value, fuzziness: 1 } } }] : []),
  ];
  if (more.length === 0) return exact;
  return { bool: { should: [exact, ...more], minimum_should_match: 1 } };
}

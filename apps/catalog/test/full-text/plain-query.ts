import { queryWords } from '../../src/full-text/words.ts';
import type { TextSearch } from '../../src/full-text/sqlite/text-messages.ts';

/** A query of words, with default options. */
export function plainQuery(q: string, rest: Partial<TextSearch> = {}): TextSearch {
  return {
    words: queryWords(q),
    lenient: false,
    types: [],
    filters: [],
    order: undefined,
    after: undefined,
    limit: 20,
    total: false,
    facets: [],
    multiSelect: false,
    ...rest,
  };
}

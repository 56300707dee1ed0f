import { queryWords } from '../../src/full-text/words.ts';
import type { TextSearch } from '../../src/full-text/sqlite/text-messages.ts';

/** The question for words alone, or what else is given of it. */
export function plainQuestion(q: string, rest: Partial<TextSearch> = {}): TextSearch {
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
    ...rest,
  };
}

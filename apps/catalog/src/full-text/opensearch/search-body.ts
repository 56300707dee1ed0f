import { encodeTuple } from '@engawa/keys';
import { maxFacetValues } from '../text-index.ts';
import { filterClause, isNamed, path } from './value-clauses.ts';
import type { TextQuery } from '../text-index.ts';
import type { QueryWord } from '../words.ts';

/**
 * A document: its words are made here (see words.ts) and joined by spaces, so that what is found does not depend on
 * which index is asked; OpenSearch's own analyser for Chinese, Japanese and Korean cuts texts otherwise. It is not kept
 * whole. Its values are nested documents of a name and a key (filter-keys.ts): names are data, and add no fields. One
 * shard, since the counts of several are merged from the most frequent values of each.
 */
export const indexBody = {
  settings: { number_of_shards: 1 },
  mappings: {
    dynamic: 'strict',
    _source: { includes: ['key'] },
    properties: {
      /** The tuple of type and id, which tells ties apart too. */
      key: { type: 'keyword' },
      type: { type: 'keyword' },
      words: { type: 'text', analyzer: 'whitespace' },
      values: {
        type: 'nested',
        dynamic: 'strict',
        properties: { name: { type: 'keyword' }, key: { type: 'keyword' } },
      },
    },
  },
} as const;

/** What is asked of `_search`. */
export function searchBody(question: Omit<TextQuery, 'signal'>) {
  const { words, lenient, types, filters, limit, total, facets } = question;
  const ofTypes = types.length === 0 ? [] : [{ terms: { type: types } }];
  return {
    size: limit,
    track_total_hits: total,
    _source: ['key'],
    query: {
      bool: {
        must: words.map((word) => clauseOf(word, lenient)),
        filter: [...ofTypes, ...filters.map(filterClause)],
      },
    },
    ...placeOf(question),
    ...(facets.length > 0 && { aggs: facetsOf(facets) }),
  };
}

/** The order, and where in it the page begins. */
function placeOf({ words, order, after }: Pick<TextQuery, 'words' | 'order' | 'after'>) {
  const key = after && encodeTuple([after.entity.type, after.entity.id]);
  if (order === undefined) {
    const ranked = words.length > 0;
    return {
      sort: [...(ranked ? ['_score'] : []), { key: 'asc' }],
      ...(after && { search_after: [...(ranked ? [after.score ?? 0] : []), key] }),
    };
  }
  const { name, descending } = order;
  const nested = { path, filter: isNamed(name) };
  const byValue = { order: descending ? 'desc' : 'asc', missing: '_last', nested };
  return {
    sort: [{ [`${path}.key`]: byValue }, { key: 'asc' }],
    ...(after && { search_after: [after.value ?? null, key] }),
  };
}

/** Named by their numbers: names of attributes are data. */
function facetsOf(names: readonly string[]): Record<string, object> {
  const terms = {
    field: `${path}.key`,
    size: maxFacetValues,
    order: [{ _count: 'desc' }, { _key: 'asc' }],
  };
  const facets = names.map((name, index) => {
    const named = { filter: isNamed(name), aggs: { values: { terms } } };
    return [String(index), { nested: { path }, aggs: { named } }] as const;
  });
  return Object.fromEntries(facets);
}

/** Words of the index by which a beginning is ranked; a `prefix` query by itself gives all of them the same score. */
const rankedWords = 128;

/** As in the embedded index: letters that change places are two letters. */
const oneLetter = { fuzziness: 1, transpositions: false, max_expansions: 1000 };

function clauseOf({ text: value, prefix, fuzzy }: QueryWord, lenient: boolean) {
  const exact = { term: { words: { value } } };
  const more = [
    ...(prefix ? beginningWith(value) : []),
    ...(lenient && fuzzy ? [{ fuzzy: { words: { value, ...oneLetter } } }] : []),
  ];
  if (more.length === 0) return exact;
  return { bool: { should: [exact, ...more], minimum_should_match: 1 } };
}

/** The second clause finds what has none of the words that the first one ranks by, and gives it no score. */
function beginningWith(value: string) {
  const rewrite = `top_terms_blended_freqs_${rankedWords}`;
  return [
    { prefix: { words: { value, rewrite } } },
    { constant_score: { filter: { prefix: { words: { value } } }, boost: 0 } },
  ];
}

import { encodeTuple } from '@engawa/keys';
import { maxFacetValues, splitFilters } from '../text-index.ts';
import { filterClause, isNamed, path } from './value-clauses.ts';
import type { FilterName, TextQuery, ValueFilter } from '../text-index.ts';
import type { QueryWord } from '../words.ts';

/**
 * The index definition. Texts are split into words by words.ts and joined by spaces, so that all engines find the same;
 * OpenSearch's own analyzer for Chinese, Japanese and Korean splits differently. Only the key is stored. Values are
 * nested documents with a name and a key (filter-keys.ts), so that names, which are user data, add no fields. One
 * shard, since facet counts of several shards are approximate.
 */
export const indexBody = {
  settings: { number_of_shards: 1 },
  mappings: {
    dynamic: 'strict',
    _source: { includes: ['key'] },
    properties: {
      /** The tuple of type and id, also the tie-breaker of sorting. */
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

/** The body of a `_search` request. */
export function searchBody(query: Omit<TextQuery, 'signal'>) {
  const { words, lenient, types, limit, total, facets } = query;
  const { own, others } = splitFilters(query);
  const typeClauses = types.length === 0 ? [] : [{ terms: { type: types } }];
  return {
    size: limit,
    track_total_hits: total,
    _source: ['key'],
    query: {
      bool: {
        must: words.map((word) => clauseOf(word, lenient)),
        filter: [...typeClauses, ...others.map(filterClause)],
      },
    },
    // Aggregations do not see it.
    ...(own.length > 0 && { post_filter: allOf(own) }),
    ...placeOf(query),
    ...(facets.length > 0 && { aggs: facetsOf(facets, own) }),
  };
}

/** The sort order, and the start of the page. */
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

/** Aggregations are named by number, since attribute names are user data. */
function facetsOf(
  names: readonly FilterName[],
  own: readonly ValueFilter[],
): Record<string, object> {
  const terms = {
    field: `${path}.key`,
    size: maxFacetValues,
    order: [{ _count: 'desc' }, { _key: 'asc' }],
  };
  const facets = names.map(({ name }, index) => {
    const named = { filter: isNamed(name), aggs: { values: { terms } } };
    const filter = allOf(own.filter((one) => one.name !== name));
    const counted = { filter, aggs: { all: { nested: { path }, aggs: { named } } } };
    return [String(index), counted] as const;
  });
  return Object.fromEntries(facets);
}

function allOf(filters: readonly ValueFilter[]): object {
  return { bool: { filter: filters.map(filterClause) } };
}

/** Index words that rank a prefix; a plain `prefix` query gives all matches the same score. */
const rankedWords = 128;

/** As in the embedded index: transposed letters count as two differences. */
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

/** The second clause matches, without score, texts that have none of the words that the first one ranks by. */
function beginningWith(value: string) {
  const rewrite = `top_terms_blended_freqs_${rankedWords}`;
  return [
    { prefix: { words: { value, rewrite } } },
    { constant_score: { filter: { prefix: { words: { value } } }, boost: 0 } },
  ];
}

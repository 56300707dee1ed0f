import { decodeTuple } from '@engawa/keys';
import type { Facet, FoundEntity, TextResult, TextQuery } from '../text-index.ts';

interface Hit {
  _source?: unknown;
  _score?: unknown;
  sort?: unknown;
}

interface TermsBucket {
  key: string;
  doc_count: number;
}

interface ValuesAggregation {
  all: { named: { values: { buckets: readonly TermsBucket[]; sum_other_doc_count: number } } };
}

/** The properties of a `_search` response that are read. */
export interface SearchResponse {
  hits: { total?: unknown; hits: readonly Hit[] };
  aggregations?: unknown;
}

type ResponseQuery = Pick<TextQuery, 'words' | 'order' | 'total' | 'facets'>;

export function readResponse(
  { hits, aggregations }: SearchResponse,
  request: ResponseQuery,
): TextResult {
  const { total, facets } = request;
  return {
    found: hits.hits.map((hit) => foundBy(hit, request)),
    ...(total && { total: (hits.total as { value: number }).value }),
    ...(facets.length > 0 && {
      facets: facets.map(({ name }, index) =>
        facetOf(name, (aggregations as Record<string, ValuesAggregation>)[String(index)]),
      ),
    }),
  };
}

function foundBy({ _source, _score, sort }: Hit, { words, order }: ResponseQuery): FoundEntity {
  const [type, id = ''] = decodeTuple((_source as { key: string }).key);
  const entity = { type, id };
  if (order !== undefined) {
    const [value] = sort as (string | null)[];
    return { entity, value: value ?? null };
  }
  if (words.length === 0) return { entity };
  const score = Number(_score);
  return { entity, score, shownScore: Math.round(score * 1000) / 1000 };
}

function facetOf(name: string, values: ValuesAggregation | undefined): Facet {
  const { buckets, sum_other_doc_count } = values?.all.named.values ?? {
    buckets: [],
    sum_other_doc_count: 0,
  };
  return {
    name,
    values: buckets.map(({ key, doc_count }) => ({ value: key, count: doc_count })),
    others: sum_other_doc_count,
  };
}

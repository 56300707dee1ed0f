import {
  attributeFamily,
  attributeIndexId,
  attributePartition,
  attributeRowKey,
} from '@engawa/keys';
import { parseAttributeRow } from '@engawa/model';
import { queryShards } from '../query-shards.ts';
import { collectRows, batchSize } from '../collect-rows.ts';
import { countIndex } from '../count-rows.ts';
import { withEntities } from '../fetch-entities.ts';
import type { RankingPart } from '@engawa/keys';
import type { ScalarValue, Entity } from '@engawa/model';
import type { MergedPage, ShardRow, Shards, Table } from '@engawa/table';
import type { Fields } from '../../values/fields.ts';
import type { IndexRow, ShardedIndex } from '../query-shards.ts';
import type { RowCount } from '../count-rows.ts';
import type { IndexSearch } from './index-search.ts';
import type { RequestLimits } from '../fetch-entities.ts';

export interface SearchStoreOptions {
  table: Table;
  shards: Shards;
}

export interface SearchQuery extends RequestLimits {
  type: string;
  search: string;
  /** Whether one of its parts is a set. */
  ofSet?: boolean | undefined;
  indexSearch: IndexSearch;
  descending: boolean;
  /** Whether to fetch the entities. */
  whole: boolean;
  /** Default: all fields. */
  fields?: Fields | undefined;
  limit: number;
  /** Cursor position of the previous page of the same query. */
  after: string | undefined;
}

/** A match, with the values of the search's parts. */
export interface FoundRow extends ShardRow {
  type: string;
  id: string;
  values: ReadonlyMap<string, ScalarValue>;
  /** With `whole`. */
  entity?: Entity;
}

/** Rows read for counting. */
const maxCounted = 10_000;

export class SearchStore {
  readonly #options: SearchStoreOptions;

  constructor(options: SearchStoreOptions) {
    this.#options = options;
  }

  /**
   * Matches sorted by the parts of the search, then by id; one Query per shard and page, and with `whole` one more
   * request per 100. A set gives one match for each matching member.
   */
  async find(query: SearchQuery): Promise<MergedPage<FoundRow>> {
    const { type, search, ofSet, indexSearch, whole, fields, limit, after, ...options } = query;
    if (indexSearch.matchesNothing) return { rows: [] };
    const index = attributeIndex(this.#options, { type, search, ofSet });
    return collectRows({
      limit,
      after,
      budget: options.budget,
      read: (behind, count) =>
        queryShards(index, { ...options, range: indexSearch.range, limit: count, after: behind }),
      keep: (rows) => {
        const found = rows.map(foundRow).filter(({ values }) => indexSearch.keeps(values));
        return whole ? withEntities(this.#options.table, found, { ...options, fields }) : found;
      },
      ...(indexSearch.isTruncated && { minRead: batchSize }),
      ...(whole && { maxRead: batchSize }),
    });
  }

  /** Counts the matches. If the index has truncated values, the rows are read and filtered. */
  async count(
    query: Pick<SearchQuery, 'type' | 'search' | 'ofSet' | 'indexSearch'> & RequestLimits,
  ): Promise<RowCount> {
    const { type, search, ofSet, indexSearch, ...limits } = query;
    if (indexSearch.matchesNothing) return { count: 0, isExact: true };
    if (!indexSearch.isTruncated) {
      const index = attributeIndex(this.#options, { type, search, ofSet });
      return countIndex(index, { ...(indexSearch.range && { sk: indexSearch.range }) }, limits);
    }
    const more = { descending: false, whole: false, limit: maxCounted, after: undefined };
    const { rows, after } = await this.find({ ...query, ...more });
    return { count: rows.length, isExact: after === undefined };
  }
}

function foundRow({ sortKey, item }: IndexRow): FoundRow {
  const { entity, values } = parseAttributeRow(item);
  return { sortKey, ...entity, values };
}

interface AttributeIndexOf extends RankingPart {
  type: string;
  search: string;
  ofSet?: boolean | undefined;
}

/** The index of a search, or of a ranking with rows of its own. */
export function attributeIndex(
  { table, shards }: SearchStoreOptions,
  { type, search, within, period, ofSet }: AttributeIndexOf,
): ShardedIndex {
  return {
    table,
    index: 'gsi2',
    shards,
    family: attributeFamily(type, search, within),
    partition: (shard) => attributePartition(shard, type, search, { within, period }),
    keyAt: (sortKey) => {
      const entity = { type, id: attributeIndexId(sortKey) };
      return attributeRowKey({ entity, search, ...(ofSet === true && { at: sortKey }) });
    },
  };
}

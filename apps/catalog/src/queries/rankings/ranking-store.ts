import { rankingAttributes } from '../../entities/items/rank-key.ts';
import { fieldPaths } from '../../values/fields.ts';
import { queryShards } from '../query-shards.ts';
import { collectRows, batchSize } from '../collect-rows.ts';
import { countIndex } from '../count-rows.ts';
import { rankingIndex } from './ranking-index.ts';
import { rankingStart, withRanks } from './ranks.ts';
import { rankOf } from './rank-of.ts';
import { withEntities } from '../fetch-entities.ts';
import type { EntityType } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';
import type { Path } from '@engawa/table';
import type { RowCount } from '../count-rows.ts';
import type { RankingIndex, RankingOf, RankingRow } from './ranking-index.ts';
import type { RankingRange } from './ranking-range.ts';
import type { RankOfQuery, RankResult } from './rank-of.ts';
import type { RankPosition } from './ranks.ts';
import type { SearchStoreOptions } from '../searches/search-store.ts';
import type { RequestLimits } from '../fetch-entities.ts';

export interface TopQuery extends RequestLimits, RankingOf {
  type: EntityType;
  /** Default: all. */
  range?: RankingRange | undefined;
  limit: number;
  /** Whether to fetch the entities. */
  whole: boolean;
  /** Default: all fields. */
  fields?: Fields | undefined;
  /** Cursor position of the previous page of the same query. */
  after: TopPosition | undefined;
}

/** Where a page of a ranking ended. */
export interface TopPosition extends RankStart {
  sortKey: string;
}

/** Where ranks begin. */
interface RankStart extends RankPosition {
  /** False where the budget ended the counting: the true ranks are at least those given. */
  isExact: boolean;
}

export interface TopPage {
  rows: RankedRow[];
  isExact: boolean;
  after?: TopPosition;
}

export interface RankedRow extends RankingRow {
  position: RankPosition;
}

export class RankingStore {
  readonly #options: SearchStoreOptions;

  constructor(options: SearchStoreOptions) {
    this.#options = options;
  }

  /**
   * A page in rank order; one Query per shard and page. The first page of a range that others rank before counts these,
   * a Query per megabyte.
   */
  async top(query: TopQuery): Promise<TopPage> {
    const { type, range, limit, whole, fields, after, ...limits } = query;
    const index = rankingIndex(this.#options, type, query);
    const isFetched = whole && !index.isOwn;
    const given = index.isOwn ? projectionOf(query) : {};
    const start = after ?? (await startOf(index, query));
    const { isExact } = start;
    let position: RankPosition = start;
    const page = await collectRows({
      limit,
      after: after?.sortKey,
      budget: limits.budget,
      read: (behind, count) =>
        queryShards(index, { ...limits, ...given, range: range?.sk, after: behind, limit: count }),
      keep: (given) => {
        const rows = withRanks(position, given.map(index.rowOf));
        position = rows.at(-1)?.position ?? position;
        return isFetched ? withEntities(this.#options.table, rows, { ...limits, fields }) : rows;
      },
      ...(isFetched && { maxRead: batchSize }),
    });
    if (page.after === undefined) return { rows: page.rows, isExact };
    return { rows: page.rows, isExact, after: { ...position, isExact, sortKey: page.after } };
  }

  /** Counts the entities in the ranking. */
  count({
    type,
    range,
    ...query
  }: Pick<TopQuery, 'type' | 'range'> & RankingOf & RequestLimits): Promise<RowCount> {
    const sk = range?.sk;
    return countIndex(rankingIndex(this.#options, type, query), sk ? { sk } : {}, query);
  }

  /** @returns undefined where the entity does not exist, or is not in the ranking */
  rankOf(query: RankOfQuery): Promise<RankResult | undefined> {
    return rankOf(this.#options, query);
  }
}

/** The position before the first entity of a range. */
async function startOf(index: RankingIndex, { range, ...limits }: TopQuery): Promise<RankStart> {
  const sk = range?.before;
  if (sk === undefined) return { ...rankingStart, isExact: true };
  const { count, isExact } = await countIndex(index, { sk }, limits);
  return { count, rank: count, segment: undefined, isExact };
}

/** The paths to read where the index has the entities themselves, which may be large. */
function projectionOf({ whole, fields, ranking }: TopQuery): { fields?: Path[] } {
  if (whole && fields === undefined) return {};
  const ranked = rankingAttributes(ranking);
  return { fields: fieldPaths(new Set([...(whole ? (fields ?? []) : []), ...ranked])) };
}

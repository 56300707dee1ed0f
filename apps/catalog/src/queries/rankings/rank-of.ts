import { queryShards } from '../query-shards.ts';
import { countBefore } from './count-before.ts';
import { rankingIndex, rankingKey } from './ranking-index.ts';
import { rankingStart, withRanks } from './ranks.ts';
import type { EntityType, RankingDefinition } from '@engawa/model';
import type { RankingIndex, RankingRow } from './ranking-index.ts';
import type { RankPosition } from './ranks.ts';
import type { SearchStoreOptions } from '../searches/search-store.ts';
import type { RequestLimits } from '../fetch-entities.ts';

export interface RankOfQuery extends RequestLimits {
  type: EntityType;
  ranking: RankingDefinition;
  id: string;
  /** Number of neighbours on each side. */
  neighbours: number;
}

export interface RankResultRow extends RankingRow {
  position: RankPosition;
}

export interface RankResult {
  own: RankResultRow;
  /** The entity and its neighbours. */
  rows: RankResultRow[];
  /** False where the budget ended the counting: the true ranks are at least those given. */
  isExact: boolean;
}

/**
 * The rank of an entity: a GetItem for its sort key, two Queries for its neighbours, and a Query per megabyte for
 * counting the rows before them; all Queries for each shard.
 * @returns undefined where the entity does not exist, or is not in the ranking
 */
export async function rankOf(
  options: SearchStoreOptions,
  query: RankOfQuery,
): Promise<RankResult | undefined> {
  const { type, ranking } = query;
  const own = await readOwn(rankingIndex(options, type, { ranking, within: undefined }), query);
  if (own === undefined) return undefined;
  const index = rankingIndex(options, type, { ranking, within: own.within });
  const [before, behind] = await Promise.all([
    neighboursOf(index, own, query, { descending: true }),
    neighboursOf(index, own, query, { descending: false }),
  ]);
  const window = [...before.rows.toReversed(), own, ...behind.rows];
  const start = before.isAll
    ? { position: rankingStart, isExact: true }
    : await countBefore(index, window[0] ?? own, {
        ...query,
        // Without neighbours only its own rank is needed, which equal values do not change.
        withTies: query.neighbours > 0,
        neighbour: before.next,
      });
  const rows = withRanks(start.position, window);
  const rank = rows[before.rows.length];
  return rank && { own: rank, rows, isExact: start.isExact };
}

async function readOwn(
  index: RankingIndex,
  { type, ranking, id, budget, signal }: RankOfQuery,
): Promise<RankingRow | undefined> {
  const item = await index.table.get(rankingKey(type, ranking.name, id), {
    consistent: true,
    signal,
  });
  budget.charge(1);
  const [partition, sortKey] = [item?.['gsi2pk'], item?.['gsi2sk']];
  return item === undefined || partition === undefined || typeof sortKey !== 'string'
    ? undefined
    : index.rowOf({ sortKey, item });
}

interface Neighbours {
  /** Nearest first. */
  rows: RankingRow[];
  /** The next row after them, if known. */
  next: RankingRow | undefined;
  /** Whether these are all rows on this side. */
  isAll: boolean;
}

async function neighboursOf(
  index: RankingIndex,
  own: RankingRow,
  { neighbours, budget, signal }: RankOfQuery,
  { descending }: { descending: boolean },
): Promise<Neighbours> {
  if (neighbours === 0) return { rows: [], next: undefined, isAll: false };
  const page = await queryShards(index, {
    descending,
    after: own.sortKey,
    limit: neighbours + 1,
    budget,
    signal,
  });
  // The index may still have the entity at its previous position.
  const others = page.rows.map(index.rowOf).filter(({ id }) => id !== own.id);
  return {
    rows: others.slice(0, neighbours),
    next: others[neighbours],
    isAll: page.after === undefined && others.length <= neighbours,
  };
}

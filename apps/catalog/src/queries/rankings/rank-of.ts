import { rankingPartOf, attributePrefix, decodeTuple } from '@engawa/keys';
import { queryShards } from '../query-shards.ts';
import { rankingIndex, rankingKey } from './ranking-index.ts';
import { rankingStart, withRanks, rankSegments } from './ranks.ts';
import { countIndex } from '../count-rows.ts';
import type { RankingPart } from '@engawa/keys';
import type { EntityType, RankingDefinition } from '@engawa/model';
import type { RankingIndex, RankingRow } from './ranking-index.ts';
import type { RankPosition } from './ranks.ts';
import type { SearchStoreOptions } from '../searches/search-store.ts';
import type { RequestLimits } from '../fetch-entities.ts';
import type { ShardedIndex } from '../query-shards.ts';

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
  /** The parent and the period that the ranks are of. */
  part: RankingPart;
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
  const found = await readOwn(rankingIndex(options, type, { ranking }), query);
  if (found === undefined) return undefined;
  const { own, part } = found;
  const index = rankingIndex(options, type, { ranking, ...part });
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
  return rank && { own: rank, part, rows, isExact: start.isExact };
}

async function readOwn(
  index: RankingIndex,
  { type, ranking, id, budget, signal }: RankOfQuery,
): Promise<{ own: RankingRow; part: RankingPart } | undefined> {
  const item = await index.table.get(rankingKey(type, ranking.name, id), {
    consistent: true,
    signal,
  });
  budget.charge(1);
  const [partition, sortKey] = [item?.['gsi2pk'], item?.['gsi2sk']];
  if (item === undefined || typeof partition !== 'string' || typeof sortKey !== 'string') return;
  return { own: index.rowOf({ sortKey, item }), part: rankingPartOf(partition) };
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

interface RowPosition {
  sortKey: string;
}

interface CountBeforeOptions extends RequestLimits {
  /** Whether to count rows before it with an equal value, too, which the ranks of later rows need. */
  withTies: boolean;
  /** The row directly before it, if known. */
  neighbour: RowPosition | undefined;
}

/** The position of the row before `first` in a ranking, by counting; inexact where the budget ends first. */
async function countBefore(
  index: ShardedIndex,
  first: RowPosition,
  { withTies, neighbour, ...limits }: CountBeforeOptions,
): Promise<{ position: RankPosition; isExact: boolean }> {
  const segment = rankSegments(first.sortKey);
  // Sort keys of rows with equal values continue after the segments, so this range excludes them.
  const better = await countIndex(index, { sk: { to: segment } }, limits);
  const rank = better.count + 1;
  const isAlone = neighbour !== undefined && rankSegments(neighbour.sortKey) !== segment;
  if (!withTies || isAlone) {
    return { position: { count: better.count, rank, segment }, isExact: better.isExact };
  }
  const sk = { from: attributePrefix(decodeTuple(segment)) };
  const ties = await countIndex(index, { sk, descending: true, before: first.sortKey }, limits);
  return {
    position: { count: better.count + ties.count, rank, segment },
    isExact: better.isExact && ties.isExact,
  };
}

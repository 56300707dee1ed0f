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
  /** How many to give on either side. */
  neighbours: number;
}

export interface StandingRow extends RankingRow {
  position: RankPosition;
}

export interface Standing {
  own: StandingRow;
  /** Those around it, itself among them. */
  rows: StandingRow[];
  /** Otherwise counting ended with the means, and all the ranks are at least what they say. */
  isExact: boolean;
}

/**
 * A GetItem for where it stands, two Queries for those around it, and the counting of those before them, a Query for each
 * 1 MB; all but the first for each shard.
 * @returns nothing where the entity is not there, or not in the ranking
 */
export async function rankOf(
  options: SearchStoreOptions,
  question: RankOfQuery,
): Promise<Standing | undefined> {
  const { type, ranking } = question;
  const own = await readOwn(rankingIndex(options, type, { ranking, within: undefined }), question);
  if (own === undefined) return undefined;
  const index = rankingIndex(options, type, { ranking, within: own.within });
  const [before, behind] = await Promise.all([
    neighboursOf(index, own, question, { descending: true }),
    neighboursOf(index, own, question, { descending: false }),
  ]);
  const window = [...before.rows.toReversed(), own, ...behind.rows];
  const start = before.isAll
    ? { position: rankingStart, isExact: true }
    : await countBefore(index, window[0] ?? own, {
        ...question,
        // Alone, it needs no more than its own rank, which those that tie with it do not change.
        withTies: question.neighbours > 0,
        neighbour: before.next,
      });
  const rows = withRanks(start.position, window);
  const standing = rows[before.rows.length];
  return standing && { own: standing, rows, isExact: start.isExact };
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
  /** The nearest first. */
  rows: RankingRow[];
  /** The one behind them, where it is known. */
  next: RankingRow | undefined;
  /** Whether there are no more. */
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
  // The index may still have it where it was a moment ago.
  const others = page.rows.map(index.rowOf).filter(({ id }) => id !== own.id);
  return {
    rows: others.slice(0, neighbours),
    next: others[neighbours],
    isAll: page.after === undefined && others.length <= neighbours,
  };
}

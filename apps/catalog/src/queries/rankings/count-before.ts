import { attributePrefix, decodeTuple } from '@engawa/keys';
import { countIndex } from '../count-rows.ts';
import { rankSegments } from './ranks.ts';
import type { ShardedIndex } from '../query-shards.ts';
import type { RankPosition } from './ranks.ts';
import type { RequestLimits } from '../fetch-entities.ts';

interface RowPosition {
  sortKey: string;
}

export interface CountBeforeOptions extends RequestLimits {
  /** Whether to count rows before it with an equal value, too, which the ranks of later rows need. */
  withTies: boolean;
  /** The row directly before it, if known. */
  neighbour: RowPosition | undefined;
}

/** The position of the row before `first` in a ranking, by counting; inexact where the budget ends first. */
export async function countBefore(
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

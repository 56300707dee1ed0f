import { attributePrefix, encodeSegment } from '@engawa/keys';
import { countIndex } from '../count-rows.ts';
import { rankSegment } from './ranks.ts';
import type { ShardedIndex } from '../query-shards.ts';
import type { RankPosition } from './ranks.ts';
import type { RequestLimits } from '../fetch-entities.ts';

interface Place {
  sortKey: string;
}

export interface CountBeforeOptions extends RequestLimits {
  /** Whether to count also those before it that tie with it, for the ranks of those behind it. */
  withTies: boolean;
  /** The one right before it, where that is known. */
  neighbour: Place | undefined;
}

/** The position of whoever is right before `first` in a ranking; counted as far as the means go. */
export async function countBefore(
  index: ShardedIndex,
  first: Place,
  { withTies, neighbour, ...means }: CountBeforeOptions,
): Promise<{ position: RankPosition; isExact: boolean }> {
  const segment = rankSegment(first.sortKey);
  // Those that tie go on behind the segment, so they are above it.
  const better = await countIndex(index, { sk: { to: encodeSegment(segment) } }, means);
  const rank = better.count + 1;
  const isAlone = neighbour !== undefined && rankSegment(neighbour.sortKey) !== segment;
  if (!withTies || isAlone) {
    return { position: { count: better.count, rank, segment }, isExact: better.isExact };
  }
  const sk = { from: attributePrefix([segment]) };
  const ties = await countIndex(index, { sk, descending: true, before: first.sortKey }, means);
  return {
    position: { count: better.count + ties.count, rank, segment },
    isExact: better.isExact && ties.isExact,
  };
}

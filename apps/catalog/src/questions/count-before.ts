import { attributePrefix, encodeSegment } from '@engawa/keys';
import { askEachShard } from '@engawa/table';
import { startKey } from './ask-shards.ts';
import { rankSegment } from './ranks.ts';
import type { PageKey, Question } from '@engawa/table';
import type { ShardedIndex } from './ask-shards.ts';
import type { RankPosition } from './ranks.ts';
import type { Means } from './whole-entities.ts';

interface Place {
  sortKey: string;
}

export interface CountBeforeOptions extends Means {
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
  const better = await count(index, { sk: { to: encodeSegment(segment) } }, means);
  const rank = better.count + 1;
  const isAlone = neighbour !== undefined && rankSegment(neighbour.sortKey) !== segment;
  if (!withTies || isAlone) {
    return { position: { count: better.count, rank, segment }, isExact: better.isWhole };
  }
  const sk = { from: attributePrefix([segment]) };
  const ties = await count(index, { sk, descending: true, before: first.sortKey }, means);
  return {
    position: { count: better.count + ties.count, rank, segment },
    isExact: better.isWhole && ties.isWhole,
  };
}

type Counted = Pick<Question, 'sk' | 'descending'> & { before?: string };

async function count(
  index: ShardedIndex,
  question: Counted,
  means: Means,
): Promise<{ count: number; isWhole: boolean }> {
  const shards = await askEachShard(index, (shard) =>
    countShard(index, index.partition(shard), question, means),
  );
  return {
    count: shards.reduce((sum, shard) => sum + shard.count, 0),
    isWhole: shards.every(({ isWhole }) => isWhole),
  };
}

async function countShard(
  index: ShardedIndex,
  pk: string,
  { before, ...question }: Counted,
  { budget, signal }: Means,
): Promise<{ count: number; isWhole: boolean }> {
  let counted = 0;
  let after: PageKey | undefined = before === undefined ? undefined : startKey(index, pk, before);
  do {
    const page = await index.table.count({
      index: index.index,
      pk,
      ...question,
      ...(after && { after }),
      signal,
    });
    budget.charge(page.units);
    counted += page.count;
    after = page.next;
  } while (after !== undefined && !budget.isSpent);
  return { count: counted, isWhole: after === undefined };
}

import { mergeShards } from '@engawa/table';
import type { ShardFamily } from '@engawa/keys';
import type { MergedPage, Row, ShardPage, Shards } from '@engawa/table';

/** A list that is spread over the shards of a family. */
export interface ShardedList {
  shards: Shards;
  family: ShardFamily;
}

export interface ShardedQuestion {
  limit: number;
  descending?: boolean | undefined;
}

/** The next rows of the list; one question to each shard, all at once. */
export async function askShards<R extends Row>(
  list: ShardedList,
  { limit, descending }: ShardedQuestion,
  ask: (shard: number, limit: number) => Promise<ShardPage<R>>,
): Promise<MergedPage<R>> {
  // One more than asked for tells whether there is a next page.
  const pages = await askEach(list, (shard) => ask(shard, limit + 1));
  const { rows, ...page } = mergeShards(pages, limit, { descending });
  return { ...page, rows: rows.filter(isLastOfItsKey) };
}

/**
 * Their number is looked at again behind the answers, which costs no request: an entry that was there may have been moved by
 * a change to a shard that is new, and that one must not be left out however long the answers took.
 */
async function askEach<Answer>(
  { shards, family }: ShardedList,
  ask: (shard: number) => Promise<Answer>,
): Promise<Answer[]> {
  for (;;) {
    const count = await shards.toRead(family);
    const answers = await Promise.all(Array.from({ length: count }, (_, shard) => ask(shard)));
    if ((await shards.toRead(family)) === count) return answers;
  }
}

/** An entry that moves just now may be seen in two shards; the higher one, which stands behind, has it as it is. */
function isLastOfItsKey({ sortKey }: Row, index: number, rows: readonly Row[]): boolean {
  return sortKey !== rows[index + 1]?.sortKey;
}

import { compareBytes } from '@engawa/keys';

/** A row of a sharded list, with its sort key. */
export interface ShardRow {
  sortKey: string;
}

/** One shard's rows in order and, if the shard has more, the last sort key that was read. */
export interface ShardPage<R extends ShardRow> {
  rows: readonly R[];
  readUpTo?: string;
}

/**
 * One page of the list. `after` is the sort key after which the next page begins in every shard; absent on the last
 * page.
 */
export interface MergedPage<R extends ShardRow> {
  rows: R[];
  after?: string;
}

/**
 * Merges the pages of all shards into one page of at most `limit` rows, in ascending or descending byte order. The page
 * ends at the latest at the last key of the shard that was read least far: later rows of that shard are unknown.
 */
export function mergeShards<R extends ShardRow>(
  pages: readonly ShardPage<R>[],
  limit: number,
  { descending = false }: { descending?: boolean | undefined } = {},
): MergedPage<R> {
  const compare = (left: string, right: string) =>
    descending ? compareBytes(right, left) : compareBytes(left, right);
  const [horizon] = pages.flatMap(({ readUpTo }) => readUpTo ?? []).sort(compare);
  const rows = pages
    .flatMap((page) => page.rows)
    .filter(({ sortKey }) => horizon === undefined || compare(sortKey, horizon) <= 0)
    .sort((left, right) => compare(left.sortKey, right.sortKey))
    .filter(isLastOfItsKey);
  const after = rows.length > limit ? rows[limit - 1]?.sortKey : horizon;
  return { rows: rows.slice(0, limit), after };
}

/** A row that is being moved may be in two shards; the higher shard, whose row comes last, has the newer one. */
function isLastOfItsKey({ sortKey }: ShardRow, index: number, rows: readonly ShardRow[]): boolean {
  return sortKey !== rows[index + 1]?.sortKey;
}

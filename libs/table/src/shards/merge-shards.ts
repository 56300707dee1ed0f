import { compareBytes } from '@engawa/keys';

/** A row of a list, by the sort key under which its shard holds it. */
export interface ShardRow {
  sortKey: string;
}

/** What one shard answered: its rows in order and, if it holds more, the sort key up to which it has looked. */
export interface ShardPage<R extends ShardRow> {
  rows: readonly R[];
  lookedUpTo?: string;
}

/** `after` is the sort key behind which the next page goes on, in every shard; without it, there is none. */
export interface MergedPage<R extends ShardRow> {
  rows: R[];
  after?: string;
}

/**
 * Makes one page of at most `limit` rows, in byte order or against it, of what all shards answered to the same question.
 * Nobody knows what lies behind the point that the slowest shard has reached, so the page ends there at the latest.
 */
export function mergeShards<R extends ShardRow>(
  pages: readonly ShardPage<R>[],
  limit: number,
  { descending = false }: { descending?: boolean | undefined } = {},
): MergedPage<R> {
  const compare = (left: string, right: string) =>
    descending ? compareBytes(right, left) : compareBytes(left, right);
  const [horizon] = pages.flatMap(({ lookedUpTo }) => lookedUpTo ?? []).sort(compare);
  const rows = pages
    .flatMap((page) => page.rows)
    .filter(({ sortKey }) => horizon === undefined || compare(sortKey, horizon) <= 0)
    .sort((left, right) => compare(left.sortKey, right.sortKey))
    .filter(isLastOfItsKey);
  const after = rows.length > limit ? rows[limit - 1]?.sortKey : horizon;
  return { rows: rows.slice(0, limit), after };
}

/** A row that moves just now may be seen in two shards; the higher one, which stands behind, has it as it is. */
function isLastOfItsKey({ sortKey }: ShardRow, index: number, rows: readonly ShardRow[]): boolean {
  return sortKey !== rows[index + 1]?.sortKey;
}

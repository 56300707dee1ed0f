import { queryEachShard } from '@engawa/table';
import { startKey } from './query-shards.ts';
import type { PageKey, QueryRequest, Table } from '@engawa/table';
import type { ShardedIndex } from './query-shards.ts';
import type { RequestLimits } from './fetch-entities.ts';

export interface RowCount {
  count: number;
  /** False where the budget ended the counting: there are more. */
  isExact: boolean;
}

export type CountQuery = Omit<QueryRequest, 'signal' | 'limit' | 'fields'>;

/** Counts the rows of one partition: a Query per megabyte, which costs as much as reading them. */
export async function countPartition(
  table: Table,
  query: CountQuery,
  { budget, signal }: RequestLimits,
): Promise<RowCount> {
  let count = 0;
  let after: PageKey | undefined = query.after;
  do {
    const page = await table.count({ ...query, ...(after && { after }), signal });
    budget.charge(page.units);
    count += page.count;
    after = page.next;
  } while (after !== undefined && !budget.isSpent);
  return { count, isExact: after === undefined };
}

/** Counts the rows of all shards in parallel; counting starts after the sort key `before`. */
export async function countIndex(
  index: ShardedIndex,
  { before, ...query }: Pick<QueryRequest, 'sk' | 'descending'> & { before?: string | undefined },
  limits: RequestLimits,
): Promise<RowCount> {
  const shards = await queryEachShard(index, (shard) => {
    const pk = index.partition(shard);
    const after = before === undefined ? undefined : startKey(index, pk, before);
    const partitionQuery = { ...query, index: index.index, pk, ...(after && { after }) };
    return countPartition(index.table, partitionQuery, limits);
  });
  return {
    count: shards.reduce((sum, { count }) => sum + count, 0),
    isExact: shards.every(({ isExact }) => isExact),
  };
}

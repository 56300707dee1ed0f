import { queryEachShard, mergeShards } from '@engawa/table';
import type { RequestBudget } from '@engawa/http';
import type { Key } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type {
  IndexName,
  MergedPage,
  PageKey,
  Path,
  QueryRequest,
  ShardRow,
  ShardedIndexKeys,
  ShardPage,
  Table,
} from '@engawa/table';

/** An index partition family that is spread over shards. */
export interface ShardedIndex extends ShardedIndexKeys {
  table: Table;
  index: IndexName;
  partition: (shard: number) => string;
  /** The table key of the item with this index sort key. */
  keyAt: (sortKey: string) => Key;
}

export interface IndexQuery {
  /** Range of sort keys; default: all. */
  range?: QueryRequest['sk'];
  descending?: boolean | undefined;
  limit: number;
  /** Starts after this sort key, which need not exist. */
  after?: string | undefined;
  /** Document paths to read, in addition to the keys; default: the whole items. */
  fields?: readonly Path[] | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface IndexRow extends ShardRow {
  item: Document;
}

/** The next rows in sort-key order, merged from all shards; one Query per shard. */
export async function queryShards(
  index: ShardedIndex,
  query: IndexQuery,
): Promise<MergedPage<IndexRow>> {
  // One extra row tells whether there is a next page.
  const shardQuery = { ...query, limit: query.limit + 1 };
  const pages = await queryEachShard(index, (shard) =>
    queryShard(index, index.partition(shard), shardQuery),
  );
  const { descending, limit } = query;
  return mergeShards(pages, limit, { descending });
}

/** The start key of a Query after a sort key: DynamoDB accepts any well-formed key, so it works in every shard. */
export function startKey({ index, keyAt }: ShardedIndex, pk: string, sortKey: string): PageKey {
  const { pk: own, sk } = keyAt(sortKey);
  return { pk: own, sk, [`${index}pk`]: pk, [`${index}sk`]: sortKey };
}

async function queryShard(
  index: ShardedIndex,
  pk: string,
  { range, descending, limit, after, fields, budget, signal }: IndexQuery,
): Promise<ShardPage<IndexRow>> {
  const { items, next, units } = await index.table.query({
    index: index.index,
    pk,
    ...(range !== undefined && { sk: range }),
    ...(after !== undefined && { after: startKey(index, pk, after) }),
    descending: descending === true,
    limit,
    ...(fields && { fields: [`${index.index}sk`, ...fields] }),
    signal,
  });
  budget.charge(units);
  const name = `${index.index}sk`;
  // Every item of an index has its sort key.
  const rows = items.map((item) => ({ sortKey: item[name] as string, item }));
  return { rows, readUpTo: next?.[name] };
}

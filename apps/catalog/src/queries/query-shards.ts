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
  Sharded,
  ShardPage,
  Table,
} from '@engawa/table';

/** A family of index keys, spread over shards. */
export interface ShardedIndex extends Sharded {
  table: Table;
  index: IndexName;
  partition: (shard: number) => string;
  /** The key of the item that this sort key of the index belongs to. */
  keyAt: (sortKey: string) => Key;
}

export interface IndexQuery {
  /** All of them without it. */
  range?: QueryRequest['sk'];
  descending?: boolean | undefined;
  limit: number;
  /** Begins behind this sort key, whether or not something is there. */
  after?: string | undefined;
  /** Of the items, beside their keys. */
  fields?: readonly Path[] | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface IndexRow extends ShardRow {
  item: Document;
}

/** The next rows in the order of their sort keys; one Query for each shard. */
export async function queryShards(
  index: ShardedIndex,
  question: IndexQuery,
): Promise<MergedPage<IndexRow>> {
  // One more than asked for tells whether there is a next page.
  const asked = { ...question, limit: question.limit + 1 };
  const pages = await queryEachShard(index, (shard) =>
    queryShard(index, index.partition(shard), asked),
  );
  const { descending, limit } = question;
  return mergeShards(pages, limit, { descending });
}

/** Where a Query begins behind a sort key: DynamoDB takes any key of the right form, in every shard. */
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
  // Whatever the index gives has its sort key.
  const rows = items.map((item) => ({ sortKey: item[name] as string, item }));
  return { rows, lookedUpTo: next?.[name] };
}

import { namePrefix as sortKeyPrefix } from '@engawa/keys';
import { askShards } from './ask-shards.ts';
import type { Budget } from '@engawa/http';
import type { Document } from '@engawa/model';
import type { Key } from '@engawa/keys';
import type { MergedPage, ShardRow, Sharded, ShardPage, Table } from '@engawa/table';

export interface NameQuestion {
  namePrefix?: string | undefined;
  limit: number;
  /** From the page before, of the same question. */
  after?: string | undefined;
  budget: Budget;
  signal: AbortSignal;
}

export interface NameList<Item> extends Sharded {
  table: Table;
  partition: (shard: number) => string;
  /** The key of the item that this sort key of the list belongs to. */
  keyAt: (gsi1sk: string) => Key;
  parse: (item: Document) => Item;
}

export interface NamedRow<Item> extends ShardRow {
  item: Item;
}

/** By collated name; one Query for each shard. */
export function listByName<Item>(
  list: NameList<Item>,
  question: NameQuestion,
): Promise<MergedPage<NamedRow<Item>>> {
  return askShards(list, question, (shard, limit) =>
    askShard(list, list.partition(shard), { ...question, limit }),
  );
}

async function askShard<Item>(
  { table, keyAt, parse }: NameList<Item>,
  gsi1pk: string,
  { namePrefix, limit, after, budget, signal }: NameQuestion,
): Promise<ShardPage<NamedRow<Item>>> {
  const { items, next, units } = await table.query({
    index: 'gsi1',
    pk: gsi1pk,
    sk: namePrefix === undefined ? undefined : { beginsWith: sortKeyPrefix(namePrefix) },
    // DynamoDB starts behind any key of the right form, whether or not this shard has an item there.
    after: after === undefined ? undefined : { ...keyAt(after), gsi1pk, gsi1sk: after },
    limit,
    signal,
  });
  budget.charge(units);
  const rows = items.map((item) => ({
    sortKey: item['gsi1sk'] as string, // or it would not be in this index
    item: parse(item),
  }));
  return { rows, lookedUpTo: next?.['gsi1sk'] };
}

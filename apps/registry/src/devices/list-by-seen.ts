import {
  decodeTuple,
  deviceKey,
  deviceSeenFamily,
  deviceSeenPartition,
  encodeTuple,
  instant,
} from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { askShards } from '../lists/ask-shards.ts';
import type { Budget } from '@engawa/http';
import type { MergedPage, PageKey, ShardRow, ShardPage, Shards, Table } from '@engawa/table';
import type { Device } from '@engawa/model';

export interface SeenQuestion {
  /** Only those last seen before it, by what the index says (epoch milliseconds). */
  before?: number | undefined;
  newestFirst?: boolean | undefined;
  limit: number;
  /** From the page before, of the same question. */
  after?: string | undefined;
  budget: Budget;
  signal: AbortSignal;
}

export interface SeenList {
  table: Table;
  shards: Shards;
}

export interface SeenRow extends ShardRow {
  device: Device;
}

/** The devices whole, in the order in which they were last seen, as far as that is kept; one Query for each shard. */
export function listBySeen(
  { table, shards }: SeenList,
  question: SeenQuestion,
): Promise<MergedPage<SeenRow>> {
  const { limit, newestFirst } = question;
  const list = { shards, family: deviceSeenFamily };
  return askShards(list, { limit, descending: newestFirst }, (shard, limit) =>
    askShard(table, shard, { ...question, limit }),
  );
}

async function askShard(
  table: Table,
  shard: number,
  { before, newestFirst, limit, after, budget, signal }: SeenQuestion,
): Promise<ShardPage<SeenRow>> {
  const gsi2pk = deviceSeenPartition(shard);
  const { items, next, units } = await table.query({
    index: 'gsi2',
    pk: gsi2pk,
    // An id stands behind each time, so no key is equal to this bound.
    ...(before !== undefined && { sk: { to: encodeTuple([instant('before', before)]) } }),
    ...(after !== undefined && { after: startKey(gsi2pk, after) }),
    descending: newestFirst === true,
    limit,
    signal,
  });
  budget.charge(units);
  const rows = items.map((item) => ({
    sortKey: item['gsi2sk'] as string, // or it would not be in this index
    device: parseDevice(item),
  }));
  return { rows, lookedUpTo: next?.['gsi2sk'] };
}

/** DynamoDB starts behind any key of the right form, whether or not this shard has an item there. */
function startKey(gsi2pk: string, gsi2sk: string): PageKey {
  const [, id = ''] = decodeTuple(gsi2sk);
  return { ...deviceKey(id), gsi2pk, gsi2sk };
}

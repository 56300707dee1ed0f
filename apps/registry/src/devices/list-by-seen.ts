import {
  decodeTuple,
  deviceKey,
  deviceSeenFamily,
  deviceSeenPartition,
  encodeTuple,
  instant,
} from '@engawa/keys';
import { parseDevice } from '@engawa/model';
import { queryShards } from '../lists/query-shards.ts';
import type { RequestBudget } from '@engawa/http';
import type { MergedPage, PageKey, ShardRow, ShardPage, Shards, Table } from '@engawa/table';
import type { Device } from '@engawa/model';

export interface SeenListRequest {
  /** Only devices last seen before this, by the index (epoch milliseconds). */
  before?: number | undefined;
  newestFirst?: boolean | undefined;
  limit: number;
  /** The position after the page before, of the same request. */
  after?: string | undefined;
  budget: RequestBudget;
  signal: AbortSignal;
}

export interface SeenList {
  table: Table;
  shards: Shards;
}

export interface SeenRow extends ShardRow {
  device: Device;
}

/** Devices with all properties, sorted by when they were last seen, to the hour; one Query per shard. */
export function listBySeen(
  { table, shards }: SeenList,
  question: SeenListRequest,
): Promise<MergedPage<SeenRow>> {
  const { limit, newestFirst } = question;
  const list = { shards, family: deviceSeenFamily };
  return queryShards(list, { limit, descending: newestFirst }, (shard, limit) =>
    askShard(table, shard, { ...question, limit }),
  );
}

async function askShard(
  table: Table,
  shard: number,
  { before, newestFirst, limit, after, budget, signal }: SeenListRequest,
): Promise<ShardPage<SeenRow>> {
  const gsi2pk = deviceSeenPartition(shard);
  const { items, next, units } = await table.query({
    index: 'gsi2',
    pk: gsi2pk,
    // Each key has an id after its time, so none equals this bound.
    ...(before !== undefined && { sk: { to: encodeTuple([instant('before', before)]) } }),
    ...(after !== undefined && { after: startKey(gsi2pk, after) }),
    descending: newestFirst === true,
    limit,
    signal,
  });
  budget.charge(units);
  const rows = items.map((item) => ({
    sortKey: item['gsi2sk'] as string, // the index has only items with this attribute
    device: parseDevice(item),
  }));
  return { rows, readUpTo: next?.['gsi2sk'] };
}

/** DynamoDB starts after any key of the right form, whether or not the shard has that item. */
function startKey(gsi2pk: string, gsi2sk: string): PageKey {
  const [, id = ''] = decodeTuple(gsi2sk);
  return { ...deviceKey(id), gsi2pk, gsi2sk };
}

import { maxShards } from '@engawa/keys';
import type { PageKey, Shards, Table } from '@engawa/table';
import type { ShrinkableList } from './shrinkable-list.ts';

export interface ShrinkPrice {
  /** Shards that a page of the list queries now, and afterwards. */
  shards: number;
  to: number;
  /** Entries to move. */
  entries: number;
  /** Write units of the moves, of items of up to 1 KB. */
  writeUnits: number;
  /** Read units: of finding the entries, and of the last check. */
  readUnits: number;
  /** Read units that this price took. */
  pricedFor: number;
  /** Minimum read units of a page, now and afterwards. */
  pageUnits: { now: number; then: number };
}

/** A Query without results, or with up to 4 KB; eventually consistent. */
const unitsOfQuery = 0.5;

/** Counts the entries of the shards that would be empty afterwards: as many read units as reading them. */
export async function priceOf(
  { table, shards, signal }: { table: Table; shards: Shards; signal: AbortSignal },
  list: ShrinkableList,
  to: number,
): Promise<ShrinkPrice> {
  const count = await shards.toRead(list.family);
  let entries = 0;
  let pricedFor = 0;
  for (let shard = to; shard < maxShards; shard++) {
    let after: PageKey | undefined;
    do {
      const request = { index: list.index, pk: list.partition(shard), signal };
      const page = await table.count({ ...request, ...(after && { after }) });
      entries += page.count;
      pricedFor += page.units;
      after = page.next;
    } while (after !== undefined);
  }
  return {
    shards: count,
    to,
    entries,
    writeUnits: entries * list.unitsPerMove,
    readUnits: pricedFor + (maxShards - to) * unitsOfQuery,
    pricedFor,
    pageUnits: { now: count * unitsOfQuery, then: to * unitsOfQuery },
  };
}

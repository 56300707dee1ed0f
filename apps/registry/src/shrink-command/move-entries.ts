import { maxShards } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { inParallel } from '@engawa/http';
import { ConditionFailed, equal, queryPages } from '@engawa/table';
import type { Document } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { ShrinkableList } from './shrinkable-list.ts';

export interface MoveOptions {
  table: Table;
  list: ShrinkableList;
  /** Entries move to the shards below this number: a power of two. */
  to: number;
  entriesPerSecond: number;
  clock: MoveClock;
  /** @throws an error that ends the pass, where entries must not move any more */
  assertMovable: () => Promise<void>;
  signal: AbortSignal;
}

/** Time is injected. */
export interface MoveClock {
  /** Milliseconds of a monotonic clock. */
  now: () => number;
  wait: (milliseconds: number) => Promise<void>;
}

const pageSize = 100;
const maxParallelMoves = 8;

/**
 * Moves the entries of the shards from `to` on, once. Looks at all shards that a list can have: a process that was
 * suspended may have written to any.
 * @returns the entries found, including those that another process has moved first
 */
export async function moveEntries(options: MoveOptions): Promise<number> {
  const { table, list, to, entriesPerSecond, clock, signal } = options;
  let found = 0;
  for (let shard = maxShards - 1; shard >= to; shard--) {
    const request = { index: list.index, pk: list.partition(shard), limit: pageSize, signal };
    for await (const { items } of queryPages(table, { ...request, fields: ['pk', 'sk'] })) {
      const due = clock.now() + (items.length * 1000) / entriesPerSecond;
      await inParallel(items, maxParallelMoves, (item) => moveEntry(options, item, shard));
      found += items.length;
      if (clock.now() < due) await clock.wait(due - clock.now());
    }
  }
  return found;
}

/**
 * One conditional UpdateItem, which changes nothing but the shard: a concurrent rename keeps its sort key. All counts
 * are powers of two, so the remainder of the shard is that of the hash.
 */
async function moveEntry(
  { table, list: { index, partition }, to, assertMovable, signal }: MoveOptions,
  item: Document,
  shard: number,
): Promise<void> {
  signal.throwIfAborted();
  await assertMovable();
  const partitionKey = `${index}pk`;
  try {
    await table.update(keyOf(item), {
      set: { [partitionKey]: partition(shard % to) },
      onlyIf: equal(partitionKey, partition(shard)),
    });
  } catch (error) {
    // The item was deleted, or a writer has moved its entry.
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

import { Problem } from '@engawa/errors';
import { inParallel } from '@engawa/http';
import { expiriesBefore, expiryPartition, parseKey } from '@engawa/keys';
import { keyOf } from '@engawa/model';
import { deletionIntentItem } from '../entities/delete/deletion-intent.ts';
import { taskOf } from '../tasks/task-runner.ts';
import { reclaimShard, renewClaim } from './expiry-claim.ts';
import { expireEntity } from './expire-entity.ts';
import type { EntityName } from '@engawa/keys';
import type { Document } from '@engawa/model';
import type { PageKey, Table } from '@engawa/table';
import type { Logger } from 'pino';
import type { DeleteEntityOptions } from '../entities/delete/delete-entity.ts';
import type { Task, TaskHandler } from '../tasks/task-runner.ts';
import type { ExpiryMetrics } from './expiry-metrics.ts';

/** Milliseconds that entities stay behind their instants: a clock that is ahead by less deletes nothing too early. */
export const expiryMarginMs = 60_000;

const pageSize = 100;
/** Entities of one pass, at most: the deletions of a pass leave so many notes. */
const maxPages = 5;
const maxParallelDeletes = 8;

export interface DeleteExpiredOptions extends DeleteEntityOptions {
  by: string;
  metrics: ExpiryMetrics;
  log: Logger;
  /** The wall clock (epoch milliseconds). */
  now: () => number;
  /** Begins with what a deletion leaves to do. */
  begin: (task: Task) => void;
}

/** The rows of entities of a shard that are due, the earliest first; a Query. */
export function dueRows(
  table: Table,
  { shard, now, after, limit }: { shard: number; now: number; after?: PageKey; limit: number },
) {
  return table.query({
    index: 'gsi2',
    pk: expiryPartition(shard),
    sk: { to: expiriesBefore(now - expiryMarginMs) },
    ...(after && { after }),
    limit,
  });
}

/**
 * Deletes the entities of a shard that have expired. Cut off at any point, the row of each that is left is still there: the
 * next pass, of any replica, finds it.
 */
export function deleteExpired(options: DeleteExpiredOptions): TaskHandler {
  const { table, by, now } = options;
  return async ({ key, segments: [shard = ''] }, signal) => {
    if ((await reclaimShard(table, { key, by, now: now() })) === undefined) return 'later';
    // An entity must not go because this replica does not know yet that its type has changed.
    await options.types.changed();
    let deleted = 0;
    let after: PageKey | undefined;
    for (let page = 1; page <= maxPages; page++) {
      const at = { shard: Number(shard), now: now(), limit: pageSize, ...(after && { after }) };
      const { items, next } = await dueRows(table, at);
      deleted += await expirePage(options, items, signal);
      if (next === undefined) return 'done';
      after = next;
      if ((await renewClaim(table, { key, by, now: now() })) === undefined) return 'later';
    }
    return deleted > 0 ? { retryMs: 0 } : 'done';
  };
}

/** @returns how many were deleted */
async function expirePage(
  options: DeleteExpiredOptions,
  items: readonly Document[],
  signal: AbortSignal,
): Promise<number> {
  const { metrics, log, now, begin } = options;
  let count = 0;
  await inParallel(namesOf(items), maxParallelDeletes, async (name) => {
    signal.throwIfAborted();
    try {
      const { deleted, intent } = await expireEntity(options, name, now() - expiryMarginMs);
      if (!deleted) return;
      count++;
      metrics.expired();
      if (intent !== undefined) begin(taskOf(deletionIntentItem(intent)));
    } catch (error) {
      // One that cannot be deleted must not keep those behind it.
      if (!(error instanceof Problem && cannotBeDeleted.has(error.code))) throw error;
      log.warn({ type: name.type, id: name.id, err: error }, 'expired entity: deletion failed');
    }
  });
  return count;
}

const cannotBeDeleted = new Set(['invalid-request', 'type-not-found']);

function* namesOf(items: readonly Document[]): Generator<EntityName> {
  for (const item of items) {
    const key = parseKey(keyOf(item));
    if (key.item === 'expiryRow') yield { type: key.type, id: key.id };
  }
}

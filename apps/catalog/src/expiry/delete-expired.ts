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

/** Delay between expiry time and deletion: a clock that is ahead by less deletes nothing too early. */
export const expiryMarginMs = 60_000;

const pageSize = 100;
/** Pages of one pass: bounds the number of intent records that the deletions of a pass leave. */
const maxPages = 5;
const maxParallelDeletes = 8;

export interface DeleteExpiredOptions extends DeleteEntityOptions {
  by: string;
  metrics: ExpiryMetrics;
  log: Logger;
  /** The wall clock (epoch milliseconds). */
  now: () => number;
  /** Starts the background task of a deletion. */
  begin: (task: Task) => void;
}

/** The expiry rows of a shard that are due, earliest first; one Query. */
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
 * Deletes the expired entities of a shard. If the process ends at any point, the remaining expiry rows are found by the
 * next pass of any replica.
 */
export function deleteExpired(options: DeleteExpiredOptions): TaskHandler {
  const { table, by, now } = options;
  return async ({ key, segments: [shard = ''] }, signal) => {
    if ((await reclaimShard(table, { key, by, now: now() })) === undefined) return 'later';
    // Refreshes the types: with an outdated declaration, an entity might be deleted that does not expire any more.
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

/** @returns the number of deleted entities */
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
      // An entity that cannot be deleted must not block later ones.
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

import { randomUUID } from 'node:crypto';
import { inParallel } from '@engawa/http';
import { entityKey } from '@engawa/keys';
import { absent, allOf, claimMs, ConditionFailed, equal, present } from '@engawa/table';
import { claimDeletion, extendClaim } from './deletion-claim.ts';
import { incarnationOf } from './detach-entity.ts';
import { rollBack } from '../staged/roll-forward.ts';
import { incomingRelations } from '../relations/incoming-relations.ts';
import type { EntityName } from '@engawa/keys';
import type { Table } from '@engawa/table';
import type { TaskHandler } from '../../tasks/task-runner.ts';
import type { EntityStore } from '../write/entity-store.ts';

export interface DetachOptions {
  table: Table;
  entities: EntityStore;
  /** Names this replica. */
  by?: string;
}

/** Upper bound of the index lag: then the index has all relations that were written before the deletion. */
const maxIndexLagMs = 120_000;

/** Entities written in parallel. */
const maxParallelWrites = 4;

/**
 * Completes a deletion: removes the relations of other entities to the deleted one at once, and again after
 * `maxIndexLagMs`. Then it deletes the tombstone, which nothing needs any more. One replica does so while it holds the
 * claim.
 */
export function detachRelated({ by = randomUUID(), ...options }: DetachOptions): TaskHandler {
  const { table } = options;
  return async ({ key, segments: [type = '', id = '', deletion = ''], item }, signal) => {
    const claimed = await claimDeletion(table, { key, by, item });
    if (typeof claimed === 'string') return claimed;
    const dueAt = claimed.at + maxIndexLagMs;
    const begun = Date.now();
    if (claimed.looked && begun < dueAt) return { retryMs: dueAt - begun };
    await detachAll(options, { to: { type, id }, signal });
    if (begun >= dueAt) {
      await clearTombstone(table, { type, id }, deletion);
      return 'done';
    }
    await extendClaim(table, { key, by, until: dueAt + claimMs });
    return { retryMs: Math.max(0, dueAt - Date.now()) };
  };
}

/** Removes all relations to a deleted entity; those to a later incarnation of its id stay. */
export async function detachAll(
  { table, entities }: DetachOptions,
  { to, signal }: { to: EntityName; signal: AbortSignal },
): Promise<void> {
  for await (const page of incomingRelations({ table, signal }, to)) {
    const isEmpty = page.relations.length + page.staged.length === 0;
    const current = isEmpty ? undefined : await incarnationOf(table, to);
    const isStale = (row: { incarnation: string | undefined }) =>
      current === undefined || row.incarnation !== current.incarnation;
    await inParallel(page.staged.filter(isStale), maxParallelWrites, async ({ from, write }) => {
      signal.throwIfAborted();
      // Staged before the deletion: its writer has to start again, unless it was committed meanwhile.
      await rollBack({ table }, from, write);
      await entities.detach(from, to);
    });
    await inParallel(page.relations.filter(isStale), maxParallelWrites, async ({ from }) => {
      signal.throwIfAborted();
      await entities.detach(from, to);
    });
  }
}

/** Deletes the tombstone, unless an entity with this id was created meanwhile, or is being created. */
async function clearTombstone(table: Table, name: EntityName, deletion: string): Promise<void> {
  const isTombstone = allOf(present('gone'), equal('incarnation', deletion));
  const onlyIf = allOf(isTombstone, absent('staging'), absent('settles'));
  try {
    await table.delete(entityKey(name), { onlyIf });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

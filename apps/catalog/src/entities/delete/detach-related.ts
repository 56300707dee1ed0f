import { randomUUID } from 'node:crypto';
import { inParallel } from '@engawa/http';
import { entityKey } from '@engawa/keys';
import { absent, allOf, claimMs, ConditionFailed, equal, present } from '@engawa/table';
import { claimDeletion, keepClaim } from './deletion-claim.ts';
import { incarnationOf } from './detach-entity.ts';
import { rollBack } from '../staged/roll-forward.ts';
import { incomingRelations } from '../relations/incoming-relations.ts';
import type { EntityName } from '@engawa/keys';
import type { Table } from '@engawa/table';
import type { TaskHandler } from '../../tasks/task-runner.ts';
import type { EntityStore } from '../write/entity-store.ts';
import type { PageKey } from '@engawa/table';

export interface DetachOptions {
  table: Table;
  entities: EntityStore;
  /** Names this replica. */
  by?: string;
}

/** Milliseconds after which the index shows all relations that were made before the deletion. */
const settledMs = 120_000;

/** Entities that are written at the same time. */
const atOnce = 4;

/**
 * Ends a deletion: takes away the relations of others to what is gone, now, and again once all of them are surely seen.
 * Then nothing is left that the tombstone could be needed for. One replica does so, as long as its claim holds.
 */
export function detachRemains({ by = randomUUID(), ...options }: DetachOptions): TaskHandler {
  const { table } = options;
  return async ({ key, segments: [type = '', id = '', deletion = ''], item }, signal) => {
    const claimed = await claimDeletion(table, { key, by, item });
    if (typeof claimed === 'string') return claimed;
    const dueAt = claimed.at + settledMs;
    const begun = Date.now();
    if (claimed.looked && begun < dueAt) return { retryMs: dueAt - begun };
    await detachAll(options, { to: { type, id }, signal });
    if (begun >= dueAt) {
      await clearTombstone(table, { type, id }, deletion);
      return 'done';
    }
    await keepClaim(table, { key, by, until: dueAt + claimMs });
    return { retryMs: Math.max(0, dueAt - Date.now()) };
  };
}

/** Takes away all relations to an entity that was deleted; those to another of its id, which is there by now, stay. */
export async function detachAll(
  { table, entities }: DetachOptions,
  { to, signal }: { to: EntityName; signal: AbortSignal },
): Promise<void> {
  let after: PageKey | undefined;
  do {
    const page = await incomingRelations({ table, signal }, to, { after });
    const isNothing = page.relations.length + page.staged.length === 0;
    const there = isNothing ? undefined : await incarnationOf(table, to);
    const isLeft = (row: { incarnation: string | undefined }) =>
      there === undefined || row.incarnation !== there.incarnation;
    await inParallel(page.staged.filter(isLeft), atOnce, async ({ from, write }) => {
      signal.throwIfAborted();
      // It has looked before the deletion: its writer begins again, unless it was decided, or even settled, meanwhile.
      await rollBack({ table }, from, write);
      await entities.detach(from, to);
    });
    await inParallel(page.relations.filter(isLeft), atOnce, async ({ from }) => {
      signal.throwIfAborted();
      await entities.detach(from, to);
    });
    after = page.next;
  } while (after !== undefined);
}

/** Not where something was created in its place, or is just being. */
async function clearTombstone(table: Table, name: EntityName, deletion: string): Promise<void> {
  const isTombstone = allOf(present('gone'), equal('incarnation', deletion));
  const onlyIf = allOf(isTombstone, absent('staging'), absent('settles'));
  try {
    await table.delete(entityKey(name), { onlyIf });
  } catch (error) {
    if (!(error instanceof ConditionFailed)) throw error;
  }
}

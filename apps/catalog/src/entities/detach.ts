import { relationsTo } from './relations-to.ts';
import type { EntityName } from '@engawa/keys';
import type { Table } from '@engawa/table';
import type { TaskHandler } from '../tasks/task-runner.ts';
import type { EntityStore } from './entity-store.ts';
import type { PageKey } from '@engawa/table';

export interface DetachOptions {
  table: Table;
  entities: EntityStore;
}

/** Milliseconds after which the index shows all relations that were made before the deletion. */
const settled = 120_000;

/** Entities that are written at the same time. */
const atOnce = 4;

/** Ends a deletion: takes away the relations of others to what is gone, now, and again once all of them are surely seen. */
export function detachRemains(options: DetachOptions): TaskHandler {
  return async (task, signal) => {
    const [type = '', id = ''] = task.segments;
    const at = Number(task.item['at']);
    const begun = Date.now();
    await detachAll(options, { to: { type, id }, until: at, signal });
    return begun >= at + settled ? 'done' : 'later';
  };
}

/**
 * Takes away all relations to an entity that is gone. That was at about `until` (epoch milliseconds, by the clock of who
 * deleted it): where another of its id is there by now, later ones are to that.
 */
export async function detachAll(
  { table, entities }: DetachOptions,
  { to, until, signal }: { to: EntityName; until: number; signal: AbortSignal },
): Promise<void> {
  let after: PageKey | undefined;
  do {
    const page = await relationsTo({ table, signal }, to, { after });
    for (let start = 0; start < page.relating.length; start += atOnce) {
      signal.throwIfAborted();
      const part = page.relating.slice(start, start + atOnce);
      await Promise.all(part.map(({ from }) => entities.detach(from, to, until)));
    }
    after = page.next;
  } while (after !== undefined);
}

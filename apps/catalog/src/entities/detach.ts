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

/** Takes away all relations to an entity that began by `until` (epoch milliseconds); later ones are to another of its id. */
export async function detachAll(
  { table, entities }: DetachOptions,
  { to, until, signal }: { to: EntityName; until: number; signal: AbortSignal },
): Promise<void> {
  let after: PageKey | undefined;
  do {
    const page = await relationsTo({ table, signal }, to, { after });
    const due = page.relating.filter(({ since }) => since <= until);
    for (let start = 0; start < due.length; start += atOnce) {
      signal.throwIfAborted();
      const part = due.slice(start, start + atOnce);
      await Promise.all(part.map(({ from }) => entities.detach(from, to, until)));
    }
    after = page.next;
  } while (after !== undefined);
}

import { parseEntity } from '@engawa/model';
import { entityKey } from '@engawa/keys';
import { rollBack } from './roll-forward.ts';
import type { Table } from '@engawa/table';
import type { TaskHandler } from '../../tasks/task-runner.ts';

/** Milliseconds that a writer has to come to its decision. */
const patience = 60_000;

/** Ends a staged write whose writer is gone; as long as it may be there, it is left alone. */
export function endStagedWrite({
  table,
  patienceMs = patience,
}: {
  table: Table;
  patienceMs?: number;
}): TaskHandler {
  return async ({ segments: [type = '', id = '', write = ''], item }, signal) => {
    const own = await table.get(entityKey({ type, id }), { consistent: true, signal });
    const isUndecided = own !== undefined && parseEntity(own).staging === write;
    if (isUndecided && Date.now() < Number(item['at']) + patienceMs) return 'later';
    await rollBack({ table, signal }, { type, id }, write);
    return 'done';
  };
}

import { parseEntity } from '@engawa/model';
import { entityKey } from '@engawa/keys';
import { rollBack } from './roll-forward.ts';
import type { Table } from '@engawa/table';
import type { TaskHandler } from '../../tasks/task-runner.ts';

/** Time for a writer to commit its staged write. */
const decisionTimeoutMs = 60_000;

/** The task that ends a staged write whose writer failed; before the timeout, the writer may still be running. */
export function endStagedWrite({
  table,
  timeoutMs = decisionTimeoutMs,
}: {
  table: Table;
  timeoutMs?: number;
}): TaskHandler {
  return async ({ segments: [type = '', id = '', write = ''], item }, signal) => {
    const own = await table.get(entityKey({ type, id }), { consistent: true, signal });
    const isUndecided = own !== undefined && parseEntity(own).staging === write;
    if (isUndecided && Date.now() < Number(item['at']) + timeoutMs) return 'later';
    await rollBack({ table, signal }, { type, id }, write);
    return 'done';
  };
}

import { catalogTaskPartition } from '@engawa/keys';
import { fixedShards } from '@engawa/table';
import pino from 'pino';
import { detachRelated } from '../src/entities/delete/detach-related.ts';
import { EntityStore } from '../src/entities/write/entity-store.ts';
import { taskOf } from '../src/tasks/task-runner.ts';
import { PolledTypes } from '../src/types/known/polled-types.ts';
import type { StartedTable } from './table.ts';

/** Runs both passes of the background tasks of all deletions of entities of a type. */
export async function endDeletions({ table }: StartedTable, type: string): Promise<void> {
  const log = pino({ enabled: false });
  const types = new PolledTypes({ table, log });
  await types.start();
  const entities = new EntityStore({ table, shards: fixedShards(1), types, log });
  const tasks = await table.query({ pk: catalogTaskPartition, consistent: true });
  const items = tasks.items.filter((item) => taskOf(item).segments[0] === type);
  expect(items).not.toEqual([]);
  const detach = detachRelated({ table, entities });
  for (const item of items) {
    // The first pass immediately, the second after the maximum index lag.
    for (const at of [item['at'] ?? 0, 0]) {
      const found = { ...item, at, claim: { by: 'gone', until: 0 } };
      await table.put(found);
      await detach(taskOf(found), new AbortController().signal);
    }
  }
  types.close();
}

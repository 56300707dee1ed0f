import { isUniqueValueKey } from '@engawa/keys';
import type { Key } from '@engawa/keys';
import type { Table, Write } from '@engawa/table';
import type { EntityQueue } from './entity-queue.ts';

/** What a transaction of entities takes. */
export interface TransactOptions {
  table: Table;
  queue: EntityQueue;
}

/** In turn with all of this replica that write or check the same entities, or the same unique values. */
export function transact(
  { table, queue }: TransactOptions,
  writes: readonly Write[],
): Promise<void> {
  // Their rows are written by nobody who does not write the entity, too; a unique value is of all entities of a type.
  const contended = writes.map(keyOf).filter((key) => key.pk === key.sk || isUniqueValueKey(key));
  return queue.exclusive(contended, () => table.transact(writes));
}

function keyOf(write: Write): Key {
  if ('put' in write) return write.put as Key;
  if ('update' in write) return write.update;
  return 'delete' in write ? write.delete : write.check;
}

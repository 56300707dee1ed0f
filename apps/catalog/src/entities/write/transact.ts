import { isUniqueValueKey } from '@engawa/keys';
import type { Key } from '@engawa/keys';
import type { Table, Write } from '@engawa/table';
import type { EntityQueue } from './entity-queue.ts';

/** Dependencies of a transaction of entities. */
export interface TransactOptions {
  table: Table;
  queue: EntityQueue;
}

/** Runs one at a time with transactions of this replica that write or check the same entities or unique values. */
export function transact(
  { table, queue }: TransactOptions,
  writes: readonly Write[],
): Promise<void> {
  // Rows of an entity are only written together with its own item; unique values are shared by all entities of a type.
  const contended = writes.map(keyOf).filter((key) => key.pk === key.sk || isUniqueValueKey(key));
  return queue.exclusive(contended, () => table.transact(writes));
}

function keyOf(write: Write): Key {
  if ('put' in write) return write.put as Key;
  if ('update' in write) return write.update;
  return 'delete' in write ? write.delete : write.check;
}

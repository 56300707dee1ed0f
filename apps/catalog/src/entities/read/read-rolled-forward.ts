import { readCollection } from './item-collection.ts';
import { WriteConflict } from '../write/commit.ts';
import { rollForward } from '../staged/roll-forward.ts';
import type { EntityName } from '@engawa/keys';
import type { Table } from '@engawa/table';
import type { ItemCollection, RelationsRead } from './item-collection.ts';

/**
 * Reads an entity; a committed staged write is rolled forward first. @throws WriteConflict where
 * another staged write was committed meanwhile
 */
export async function readRolledForward(
  { table }: { table: Table },
  name: EntityName,
  relations: RelationsRead,
): Promise<ItemCollection> {
  const read = () => readCollection({ table }, name, relations);
  const collection = await read();
  const { settles, gone } = collection.entity ?? {};
  if (settles === undefined || !(relations !== 'none' || gone === true)) return collection;
  await rollForward({ table }, name, settles);
  const settled = await read();
  // Another replica is rolling its rows forward, and would overwrite those of this writer.
  if (settled.entity?.settles !== undefined) throw new WriteConflict();
  return settled;
}

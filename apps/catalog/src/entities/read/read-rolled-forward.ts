import { readCollection } from './item-collection.ts';
import { Overtaken } from '../write/commit.ts';
import { rollForward } from '../staged/roll-forward.ts';
import type { EntityName } from '@engawa/keys';
import type { Table } from '@engawa/table';
import type { Collection, RelationsRead } from './item-collection.ts';

/** An entity as it is, once what an earlier write has staged is settled. @throws Overtaken where another was decided meanwhile */
export async function readSettled(
  { table }: { table: Table },
  name: EntityName,
  relations: RelationsRead,
): Promise<Collection> {
  const read = () => readCollection({ table }, name, relations);
  const collection = await read();
  const { settles, gone } = collection.entity ?? {};
  if (settles === undefined || !(relations !== 'none' || gone === true)) return collection;
  await rollForward({ table }, name, settles);
  const settled = await read();
  // Its rows are about to be written by who settles it: what this writer makes of them would be lost.
  if (settled.entity?.settles !== undefined) throw new Overtaken();
  return settled;
}

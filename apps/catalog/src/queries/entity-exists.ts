import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import type { EntityName } from '@engawa/keys';
import type { Table } from '@engawa/table';
import type { RequestLimits } from './fetch-entities.ts';

/** Whether the entity exists; one GetItem. */
export async function entityExists(
  table: Table,
  entity: EntityName,
  { budget, signal }: RequestLimits,
): Promise<boolean> {
  const item = await table.get(entityKey(entity), { signal });
  budget.charge(1);
  return item !== undefined && parseEntity(item).gone !== true;
}

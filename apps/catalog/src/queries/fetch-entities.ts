import { entityKey } from '@engawa/keys';
import { parseEntity } from '@engawa/model';
import { fieldPaths } from '../values/fields.ts';
import { targetKey } from '../entities/items/entity-items.ts';
import type { RequestBudget } from '@engawa/http';
import type { EntityName } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Fields } from '../values/fields.ts';

/** Budget and cancellation of one request. */
export interface RequestLimits {
  budget: RequestBudget;
  signal: AbortSignal;
}

/** Existing entities, by `targetKey`; one request per 100. */
export async function fetchEntities(
  table: Table,
  names: readonly EntityName[],
  { budget, signal, fields }: RequestLimits & { fields?: Fields | undefined },
): Promise<Map<string, Entity>> {
  if (names.length === 0) return new Map();
  const options = { signal, ...(fields && { fields: fieldPaths(fields) }) };
  const { items, units } = await table.getAll(names.map(entityKey), options);
  budget.charge(units);
  const entities = items.map(parseEntity).filter(({ gone }) => gone !== true);
  return new Map(entities.map((entity) => [targetKey(entity), entity]));
}

/** The rows with their entities, without rows whose entity does not exist any more. */
export async function withEntities<Row extends EntityName>(
  table: Table,
  rows: readonly Row[],
  limits: RequestLimits & { fields?: Fields | undefined },
): Promise<(Row & { entity: Entity })[]> {
  const entities = await fetchEntities(table, rows, limits);
  return rows.flatMap((row) => {
    const entity = entities.get(targetKey(row));
    return entity === undefined ? [] : [{ ...row, entity }];
  });
}

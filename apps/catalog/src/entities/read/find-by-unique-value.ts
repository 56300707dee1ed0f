import { entityKey, uniqueValueKey } from '@engawa/keys';
import { parseEntity, parseUniqueValue } from '@engawa/model';
import { fieldPaths } from '../../values/fields.ts';
import { claimedValue } from '../items/unique-values.ts';
import type { UniqueValue } from '@engawa/keys';
import type { Entity } from '@engawa/model';
import type { Table } from '@engawa/table';
import type { Fields } from '../../values/fields.ts';

/**
 * The entity that has a unique value: a consistent GetItem of the value's item, and one of the entity. Begins again
 * where the value was released between the two, since it may have been claimed by another entity.
 * @param fields to read besides the unique attribute; default: all
 */
export async function findByUniqueValue(
  table: Table,
  unique: UniqueValue,
  { fields, signal }: { fields: Fields | undefined; signal: AbortSignal },
): Promise<Entity | undefined> {
  const { type, attribute, value } = unique;
  const wanted = fields && { fields: fieldPaths(new Set([...fields, attribute])) };
  for (;;) {
    const claim = await table.get(uniqueValueKey(unique), { consistent: true, signal });
    if (claim === undefined) return undefined;
    const key = entityKey({ type, id: parseUniqueValue(claim).owner });
    const item = await table.get(key, { consistent: true, ...wanted, signal });
    const entity = item && parseEntity(item);
    if (claimedValue(entity, attribute) === value) return entity;
  }
}

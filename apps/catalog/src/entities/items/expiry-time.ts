import { parseInstant } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';

type Expiring = Pick<EntityType, 'expires'>;

/** When an entity of this type expires (epoch milliseconds); undefined: never. Of an entity as its type has it now. */
export function expiryTime(
  { expires }: Expiring,
  { attributes }: Pick<Entity, 'attributes'>,
): number | undefined {
  const value = expires && attributes.get(expires.attribute);
  // What an entity of an open type has under that name from before may be anything.
  if (typeof value !== 'string') return undefined;
  try {
    return parseInstant('expires', value);
  } catch {
    return undefined;
  }
}

/** Whether its instant has come. @param now epoch milliseconds */
export function isExpired(
  type: Expiring,
  entity: Pick<Entity, 'attributes'>,
  now: number,
): boolean {
  const expiresAt = expiryTime(type, entity);
  return expiresAt !== undefined && expiresAt <= now;
}

/** The fields that are read of an entity, with the one that says whether it has expired. */
export function withExpiry({ expires }: Expiring, fields: Fields | undefined): Fields | undefined {
  return fields && expires ? new Set([...fields, expires.attribute]) : fields;
}

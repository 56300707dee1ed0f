import { parseInstant } from '@engawa/keys';
import type { Entity, EntityType } from '@engawa/model';
import type { Fields } from '../../values/fields.ts';

type Expiring = Pick<EntityType, 'expires'>;

/** The expiry time of an entity in its current form (epoch milliseconds); undefined: never. */
export function expiryTime(
  { expires }: Expiring,
  { attributes }: Pick<Entity, 'attributes'>,
): number | undefined {
  const value = expires && attributes.get(expires.attribute);
  // An entity of an open type may have any value under that name.
  if (typeof value !== 'string') return undefined;
  try {
    return parseInstant('expires', value);
  } catch {
    return undefined;
  }
}

/** Whether the expiry time has passed. @param now epoch milliseconds */
export function isExpired(
  type: Expiring,
  entity: Pick<Entity, 'attributes'>,
  now: number,
): boolean {
  const expiresAt = expiryTime(type, entity);
  return expiresAt !== undefined && expiresAt <= now;
}

/** The fields to read, including the expiry attribute. */
export function withExpiry({ expires }: Expiring, fields: Fields | undefined): Fields | undefined {
  return fields && expires ? new Set([...fields, expires.attribute]) : fields;
}

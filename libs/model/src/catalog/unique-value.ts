import { parseKey, uniqueValueKey } from '@engawa/keys';
import { keyOf } from '../places/place.ts';
import type { UniqueValue } from '@engawa/keys';
import type { Document } from '../values/item-size.ts';

/** A value of a unique attribute, and the entity that owns it. */
export interface OwnedValue extends UniqueValue {
  /** The entity's id. */
  owner: string;
}

export function uniqueValueItem({ owner, ...unique }: OwnedValue): Document {
  return { ...uniqueValueKey(unique), owner, value: unique.value };
}

/** @throws TypeError when the item is not such a value */
export function parseUniqueValue(item: Document): OwnedValue {
  const key = parseKey(keyOf(item));
  if (key.item !== 'uniqueValue') throw new TypeError(`a ${key.item}, not a unique value`);
  const { owner, value } = item as unknown as OwnedValue;
  return { type: key.type, attribute: key.attribute, value, owner };
}

import { isMemberSet, storedSet } from '@engawa/model';
import type { AttributeValue, DocumentValue, EntityType } from '@engawa/model';

/** The way to an attribute inside of an entity's item; one to a set leads to the map of its members. */
export function placeOf({ attributes }: EntityType, name: string): readonly string[] {
  const isSet = attributes.some((attribute) => attribute.name === name && attribute.kind === 'set');
  return ['data', isSet ? 'sets' : 'attributes', name];
}

export function storedValue(value: AttributeValue): DocumentValue {
  return isMemberSet(value) ? storedSet(value) : value;
}

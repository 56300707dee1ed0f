import { isMemberSet, storedSet } from '@engawa/model';
import type { AttributeValue, DocumentValue, EntityType } from '@engawa/model';

/** The document path of an attribute in an entity's item; for a set, of the map of its members. */
export function attributePath({ attributes }: EntityType, name: string): readonly string[] {
  const isSet = attributes.some((attribute) => attribute.name === name && attribute.kind === 'set');
  return ['data', isSet ? 'sets' : 'attributes', name];
}

export function storedValue(value: AttributeValue): DocumentValue {
  return isMemberSet(value) ? storedSet(value) : value;
}

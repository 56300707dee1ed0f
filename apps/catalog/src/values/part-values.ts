import { Decimal, isMemberSet } from '@engawa/model';
import type {
  AttributeValue,
  Encoding,
  Entity,
  EntityType,
  ScalarValue,
  SearchPart,
} from '@engawa/model';

/** The name of the attribute or relation of a part; names are unique among both. */
export function partName(part: SearchPart): string {
  return 'attribute' in part ? part.attribute : part.relation;
}

/** The path of a part in the body of an entity. */
export function partPath(part: SearchPart): string {
  return 'attribute' in part ? `attributes.${part.attribute}` : `relations.${part.relation}`;
}

/** The part of a search that is a set; a search has at most one. */
export function setPart(
  { attributes }: Pick<EntityType, 'attributes'>,
  parts: readonly SearchPart[],
): SearchPart | undefined {
  const sets = new Set(attributes.flatMap(({ name, kind }) => (kind === 'set' ? [name] : [])));
  return parts.find((part) => 'attribute' in part && sets.has(part.attribute));
}

/** The values of a part: each member of a set, otherwise one value; none where the stored value has another kind. */
export function partValues(
  part: SearchPart,
  { attributes, one }: Pick<Entity, 'attributes' | 'one'>,
  { isSet }: { isSet: boolean },
): readonly ScalarValue[] {
  if ('relation' in part) {
    const id = one.get(part.relation);
    return id === undefined ? [] : [id];
  }
  const value = attributes.get(part.attribute);
  if (isMemberSet(value) !== isSet) return [];
  const values: Iterable<AttributeValue | undefined> = isMemberSet(value) ? value : [value];
  return [...values].filter((one) => fits(part.as, one));
}

/** The value of a ranking: a number or an instant. An entity of an open type may have a value of another kind. */
export function rankedValue(value: AttributeValue | undefined): ScalarValue | undefined {
  return fits('number', value) || fits('instant', value) ? value : undefined;
}

function fits(as: Encoding, value: AttributeValue | undefined): value is ScalarValue {
  switch (as) {
    case 'number':
      return typeof value === 'number' || value instanceof Decimal;
    case 'boolean':
      return typeof value === 'boolean';
    case 'instant':
      return typeof value === 'string' && !Number.isNaN(Date.parse(value));
    case 'text':
    case 'collated':
      return typeof value === 'string';
  }
}

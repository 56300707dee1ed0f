import { cutToFit } from '@engawa/keys';
import { Decimal } from '@engawa/model';
import { comparable, isTruncatedPart } from './parse-part-value.ts';
import { partName } from './part-values.ts';
import type { AttributeValue, Entity, EntityType, ScalarValue, SearchPart } from '@engawa/model';

/** Bytes of a text that tell it from others where hits are filtered, ordered and counted. */
export const maxFilterBytes = 512;

/**
 * What the hits of the full-text search are filtered, ordered and counted by, for the row that the index is built from.
 * @returns undefined where the type has no filters
 */
export function filterValues(
  { filters = [] }: EntityType,
  { attributes, one }: Pick<Entity, 'attributes' | 'one'>,
): Map<string, ScalarValue> | undefined {
  if (filters.length === 0) return undefined;
  const values = filters.flatMap((part) => {
    const name = partName(part);
    const value = 'attribute' in part ? attributes.get(name) : one.get(name);
    // Where a type has changed, what it does not fit any more is not in the index.
    return isScalar(value) ? [[name, filterValue(part, value)] as const] : [];
  });
  return new Map(values);
}

/** A value as it is compared: text in the form of its encoding, and not more of it than counts. */
export function filterValue(part: SearchPart, value: ScalarValue): ScalarValue {
  return isTruncatedPart(part) ? cutToFit(comparable(part, value), maxFilterBytes) : value;
}

function isScalar(value: AttributeValue | undefined): value is ScalarValue {
  return value instanceof Decimal || ['string', 'number', 'boolean'].includes(typeof value);
}

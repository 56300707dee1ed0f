import { cutToFit } from '@engawa/keys';
import { Decimal, isMemberSet } from '@engawa/model';
import { toJsonValue } from './check-value.ts';
import { comparable, isTruncatedPart } from './parse-part-value.ts';
import { partName } from './part-values.ts';
import type {
  AttributeValue,
  Entity,
  EntityType,
  FilterValue,
  MemberSet,
  ScalarValue,
  SearchPart,
} from '@engawa/model';

/** Bytes of a text that are compared when hits are filtered, sorted and counted. */
export const maxFilterBytes = 512;

/**
 * The filter values of an entity, for the text row that the full-text index is built from.
 * @returns undefined where the type has no filters
 */
export function filterValues(
  { filters = [] }: EntityType,
  { attributes, one }: Pick<Entity, 'attributes' | 'one'>,
): Map<string, FilterValue> | undefined {
  if (filters.length === 0) return undefined;
  const values = filters.flatMap((part): [string, FilterValue][] => {
    const name = partName(part);
    const value = 'attribute' in part ? attributes.get(name) : one.get(name);
    // An empty set is no value.
    if (isMemberSet(value)) return value.size === 0 ? [] : [[name, memberValues(part, value)]];
    // After a change of the type, values of another kind are not indexed.
    return isScalar(value) ? [[name, filterValue(part, value)]] : [];
  });
  return new Map(values);
}

/** Sorted, and each once: collated members may be equal. */
function memberValues(part: SearchPart, members: MemberSet): ScalarValue[] {
  const compared = new Set([...members].map((member) => filterValue(part, member)));
  return toJsonValue(compared as MemberSet) as ScalarValue[];
}

/** The compared form of a value: text is encoded and truncated. */
export function filterValue(part: SearchPart, value: ScalarValue): ScalarValue {
  return isTruncatedPart(part) ? cutToFit(comparable(part, value), maxFilterBytes) : value;
}

function isScalar(value: AttributeValue | undefined): value is ScalarValue {
  return value instanceof Decimal || ['string', 'number', 'boolean'].includes(typeof value);
}

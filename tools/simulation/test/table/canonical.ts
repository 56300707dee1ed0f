import { canonicalNumber } from '@engawa/dynamodb-simulator/rules';
import type { AttributeValue, Item } from '@engawa/dynamodb-simulator/rules';
/**
 * JSON that is equal for equal items, regardless of the order of attributes and set members, and of
 * the spelling of numbers.
 */
export function canonicalItem(item: Item): string {
  return JSON.stringify(sortedMap(item));
}

function sortedMap(map: Item): Record<string, unknown> {
  const entries = Object.entries(map).map(
    ([name, value]) => [name, canonicalValue(value)] as const,
  );
  return Object.fromEntries(entries.toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function canonicalValue(value: AttributeValue): unknown {
  if (value.N !== undefined) return { N: canonicalNumber(value.N) };
  if (value.M !== undefined) return { M: sortedMap(value.M) };
  if (value.L !== undefined) return { L: value.L.map(canonicalValue) };
  if (value.SS !== undefined) return { SS: value.SS.toSorted() };
  if (value.NS !== undefined) return { NS: value.NS.map(canonicalNumber).toSorted() };
  return value.BS === undefined ? value : { BS: value.BS.toSorted() };
}

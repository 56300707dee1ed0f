import { byteLength } from '../byte-order.ts';
import { KeyError } from '../key-error.ts';
import { cutToFit } from '../segments/collated.ts';
import { encodeTuple } from '../tuple.ts';

/** The table's own key. */
export interface Key {
  pk: string;
  sk: string;
}

/** The keys of the two overloaded indexes; an item without them is not in that index. */
export interface Gsi1Key {
  gsi1pk: string;
  gsi1sk: string;
}

export interface Gsi2Key {
  gsi2pk: string;
  gsi2sk: string;
}

/** Both bounds are inclusive, as in DynamoDB's BETWEEN. */
export interface SortKeyRange {
  from: string;
  to: string;
}

/** Bytes; DynamoDB developer guide, "Quotas": partition and sort key length. */
export const maxPartitionKeyBytes = 2048;
export const maxSortKeyBytes = 1024;

/** @throws KeyError naming `field` when the key is longer than DynamoDB takes */
export function partitionKey(field: string, segments: readonly string[]): string {
  return withinLimit(field, encodeTuple(segments), maxPartitionKeyBytes);
}

/** @throws KeyError naming `field` when the key is longer than DynamoDB takes */
export function sortKey(field: string, segments: readonly string[]): string {
  return withinLimit(field, encodeTuple(segments), maxSortKeyBytes);
}

/**
 * A sort key that begins with collated text: the text is truncated where needed, so that the following ids remain
 * complete.
 */
export function collatedSortKey(text: string, ids: readonly string[]): string {
  const behind = byteLength(encodeTuple(['', ...ids]));
  return encodeTuple([cutToFit(text, maxSortKeyBytes - behind), ...ids]);
}

function withinLimit(field: string, key: string, limit: number): string {
  const bytes = byteLength(key);
  if (bytes > limit)
    throw new KeyError(field, `makes a key of ${bytes} bytes, at most ${limit} are allowed`);
  return key;
}

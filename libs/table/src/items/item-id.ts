import { invariant } from '@engawa/errors';
import type { Key } from '@engawa/keys';
import type { Attributes } from './marshal.ts';

/** A key in DynamoDB's form. */
export function keyAttributes({ pk, sk }: Key) {
  return { pk: { S: pk }, sk: { S: sk } };
}

/** One text for a key of the table; different keys have different texts. */
export function idOfKey({ pk, sk }: Key): string {
  return `${pk.length} ${pk}${sk}`;
}

/** Of a key or an item of a request: one that this library has made. */
export function partitionKeyOf(attributes: Attributes | undefined): string {
  return invariant(attributes?.['pk']?.S, 'each key and item of a request has the text pk');
}

/** `idOfKey` of an item, or of a key, in DynamoDB's form. */
export function idOfItem({ pk, sk }: Attributes): string {
  return idOfKey({ pk: pk?.S ?? '', sk: sk?.S ?? '' });
}

/** Each key once. */
export function distinctKeys(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => [idOfKey(key), key])).values()];
}

import type { Key } from '@engawa/keys';
import type { Attributes } from './marshal.ts';

/** A text for an item's key in the table: different keys have different texts. */
export function putId(pk: string, sk: string): string {
  return `${pk.length} ${pk}${sk}`;
}

/** The same of an item, or of its key, in DynamoDB's form. */
export function idOf({ pk, sk }: Attributes): string {
  return putId(pk?.S ?? '', sk?.S ?? '');
}

/** Each key once. */
export function distinctKeys(keys: readonly Key[]): Key[] {
  return [...new Map(keys.map((key) => [putId(key.pk, key.sk), key])).values()];
}
